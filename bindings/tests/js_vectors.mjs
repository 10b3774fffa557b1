// SPDX-License-Identifier: Apache-2.0 OR MIT
// Answers the lines of tests/wycheproof/run.py, which has them.
import { createInterface } from "node:readline";

import * as codekem from "codekem";

const hex = (bytes) => Buffer.from(bytes).toString("hex");
const bytes = (text) => new Uint8Array(Buffer.from(text === "-" ? "" : text, "hex"));
const kemOf = (name) => Object.values(codekem).find((kem) => kem.name === name);

const answer = (step, kem, first, second) => {
  if (step === "keygen") {
    const { publicKey, secretKey } = kem.keygen(first);
    return `${hex(publicKey)} ${hex(secretKey)}`;
  }
  if (step === "encaps") {
    const { cipherText, sharedSecret } = kem.encapsulate(first, second);
    return `${hex(cipherText)} ${hex(sharedSecret)}`;
  }
  return hex(kem.decapsulate(second, first));
};

for await (const line of createInterface({ input: process.stdin })) {
  const [step, name, first, second] = line.split(" ");
  try {
    console.log(answer(step, kemOf(name), bytes(first), bytes(second ?? "-")));
  } catch (error) {
    console.log(`refused ${error.message}`);
  }
}
