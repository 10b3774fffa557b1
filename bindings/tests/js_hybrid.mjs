// SPDX-License-Identifier: Apache-2.0 OR MIT
// Answers for bindings/tests/test_hybrid.py, whose head says what: the vectors by the package.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

import * as codekem from "codekem";
import { hybrid } from "codekem/hybrid.js";

const bytes = (text) => new Uint8Array(Buffer.from(text, "hex"));
const hex = (data) => Buffer.from(data).toString("hex");
const digest = (data) => createHash("sha256").update(data).digest("hex");

const change = (data, { at, xor, bytes: other }) => {
  const out = data.slice();
  const place = at < 0 ? at + out.length : at;
  if (xor !== undefined) out[place] ^= xor;
  else out.set(bytes(other), place);
  return out;
};

const outcome = (run) => {
  try {
    return hex(run());
  } catch (error) {
    if (!/ends in no point/.test(error.message)) throw error;
    return null;
  }
};

const { vectors } = JSON.parse(readFileSync(process.argv[2]));
const answers = vectors.map((vector) => {
  const inner = Object.values(codekem).find((kem) => kem.name === vector.kem);
  const kem = hybrid(inner, vector.group);
  const { publicKey, secretKey } = kem.keygen(bytes(vector.seed));
  const seed = bytes(vector.encaps_seed);
  const { cipherText, sharedSecret } = kem.encapsulate(publicKey, seed);
  if (hex(kem.decapsulate(cipherText, secretKey)) !== hex(sharedSecret)) throw new Error(kem.name);
  return {
    label: `codekem-${kem.name}-UG-v0`,
    public_key_sha256: digest(publicKey),
    ciphertext_sha256: digest(cipherText),
    shared_secret: hex(sharedSecret),
    altered: vector.altered.map((how) =>
      outcome(() => kem.decapsulate(change(cipherText, how), secretKey)),
    ),
    keys: vector.keys.map((how) =>
      outcome(() => kem.encapsulate(change(publicKey, how), seed).sharedSecret),
    ),
  };
});
console.log(JSON.stringify(answers));
