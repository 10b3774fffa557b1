// SPDX-License-Identifier: Apache-2.0 OR MIT
// Five records of each KEM and all rejections, as the authors of the schemes publish them.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import * as codekem from "codekem";

const answers = JSON.parse(readFileSync(new URL("known_answers.json", import.meta.url), "utf8"));
const kems = Object.values(codekem);

const hex = (bytes) => Buffer.from(bytes).toString("hex");
const unhex = (text) => new Uint8Array(Buffer.from(text, "hex"));
const digest = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** Applies a change of the file: runs of bytes that are added to a record's value, or to zeros. */
function altered(values, length, { of, xor }) {
  const out = of === null ? new Uint8Array(length) : values[of].slice();
  for (const [offset, count, value] of xor) {
    for (let i = offset; i < offset + count; i++) out[i] ^= value;
  }
  return out;
}

test("the module with vectors is taken unless it is refused", () => {
  for (const kem of kems) assert.equal(kem.usesSimd(), process.env.CODEKEM_TEST !== "plain");
});

test("the file has the KEMs of the package", () => {
  assert.deepEqual(kems.map((kem) => kem.name).sort(), Object.keys(answers.kems).sort());
});

for (const kem of kems) {
  const { records, rejections, ...expected } = answers.kems[kem.name];
  const ciphertexts = [];
  const secretKeys = [];

  test(`${kem.name}: records`, () => {
    assert.equal(kem.lengths.publicKey, expected.public_key_bytes);
    assert.equal(kem.lengths.secretKey, expected.secret_key_bytes);
    assert.equal(kem.lengths.cipherText, expected.ciphertext_bytes);
    assert.equal(kem.lengths.sharedSecret, expected.shared_secret_bytes);
    assert.equal(records.length, 5);
    for (const record of records) {
      const { publicKey, secretKey } = kem.keygen(unhex(record.keypair_seed));
      assert.equal(digest(publicKey), record.public_key_sha256);
      assert.equal(digest(secretKey), record.secret_key_sha256);
      const { cipherText, sharedSecret } = kem.encapsulate(publicKey, unhex(record.encaps_seed));
      assert.equal(digest(cipherText), record.ciphertext_sha256);
      assert.equal(hex(sharedSecret), record.shared_secret);
      assert.equal(hex(kem.decapsulate(cipherText, secretKey)), record.shared_secret);
      assert.deepEqual(kem.getPublicKey(secretKey), publicKey);
      assert.ok(kem.checkPublicKey(publicKey));
      assert.ok(kem.checkSecretKey(secretKey));
      assert.ok(kem.checkCipherText(cipherText));
      ciphertexts.push(cipherText);
      secretKeys.push(secretKey);
    }
  });

  test(`${kem.name}: rejections`, () => {
    assert.ok(rejections.length >= 12);
    for (const { what, ciphertext, secret_key, shared_secret } of rejections) {
      const ct = altered(ciphertexts, kem.lengths.cipherText, ciphertext);
      const sk = altered(secretKeys, kem.lengths.secretKey, secret_key);
      assert.equal(hex(kem.decapsulate(ct, sk)), shared_secret, what);
    }
  });
}
