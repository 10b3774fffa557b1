// SPDX-License-Identifier: Apache-2.0 OR MIT
// Reads and writes keys for bindings/tests/key_exchange.py, whose head has the lines of standard
// input and output.
import { createInterface } from "node:readline";

import * as codekem from "codekem";
import { exportKey, importKey, toPem } from "codekem/keys.js";

const hex = (bytes) => Buffer.from(bytes).toString("hex");
const bytes = (text) => new Uint8Array(Buffer.from(text, "hex"));
const kemOf = (name) => Object.values(codekem).find((kem) => kem.name === name);

const write = (kem, seed, form) => {
  const chosen = form === "default" ? undefined : form;
  const pkcs8 = toPem("pkcs8", exportKey("pkcs8", kem, seed, chosen));
  const spki = toPem("spki", exportKey("spki", kem, kem.keygen(seed).publicKey));
  return `${hex(Buffer.from(pkcs8))} ${hex(Buffer.from(spki))}`;
};

const read = (kind, kem, text) => {
  if (kind === "public") return `ok ${kem.name} ${hex(importKey("spki", kem, text).publicKey)}`;
  const { publicKey, secretKey, seed } = importKey("pkcs8", kem, text);
  return `ok ${kem.name} ${hex(publicKey)} ${hex(secretKey)} ${seed ? hex(seed) : "-"}`;
};

for await (const line of createInterface({ input: process.stdin })) {
  const [step, first, second, third] = line.split(" ");
  if (step === "write") {
    console.log(write(kemOf(first), bytes(second), third));
    continue;
  }
  try {
    console.log(read(first, kemOf(second), Buffer.from(third, "hex").toString("latin1")));
  } catch (error) {
    console.log(`error ${error.message}`);
  }
}
