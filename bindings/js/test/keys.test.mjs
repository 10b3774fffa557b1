// SPDX-License-Identifier: Apache-2.0 OR MIT
// Keys in DER and PEM. Those of other languages are in bindings/tests/test_keys.py of the project.
import assert from "node:assert/strict";
import { test } from "node:test";

import * as codekem from "codekem";
import { exportKey, importKey, toPem } from "codekem/keys.js";

for (const kem of Object.values(codekem)) {
  const seed = new Uint8Array(kem.lengths.seed).fill(5);
  const { publicKey, secretKey } = kem.keygen(seed);
  const isHqc = kem.info.type === "hqc";

  test(`${kem.name}: every form comes back, in DER and PEM`, () => {
    const spki = exportKey("spki", kem, publicKey);
    for (const data of [spki, toPem("spki", spki), `text\n${toPem("spki", spki)}more\n`])
      assert.deepEqual(importKey("spki", kem, data), { publicKey });
    for (const form of [undefined, "seed", "both", "expanded"]) {
      const known = isHqc || form !== "expanded";
      const der = exportKey("pkcs8", kem, seed, form);
      for (const data of [der, Buffer.from(der), toPem("pkcs8", der)]) {
        const got = importKey("pkcs8", kem, data);
        assert.deepEqual(got, { publicKey, secretKey, seed: known ? seed : undefined });
      }
      if (isHqc) assert.deepEqual(exportKey("pkcs8", kem, secretKey, form), der);
    }
    assert.deepEqual(seed, new Uint8Array(kem.lengths.seed).fill(5));
    const short = exportKey("pkcs8", kem, secretKey);
    assert.deepEqual(short, exportKey("pkcs8", kem, seed, isHqc ? "seed" : "expanded"));
    if (isHqc) assert.ok(toPem("pkcs8", short).length < 150);
    else assert.throws(() => exportKey("pkcs8", kem, secretKey, "both"), /seed .* is not known/);
  });

  test(`${kem.name}: every byte of the frame counts`, () => {
    const der = exportKey("pkcs8", kem, seed);
    for (let i = 0; i < der.length - seed.length; i++) {
      const wrong = der.with(i, der[i] ^ 0x21);
      assert.throws(() => importKey("pkcs8", kem, wrong), Error);
      assert.throws(() => importKey("pkcs8", kem, der.subarray(0, i)), Error);
    }
    assert.throws(() => importKey("spki", kem, der), Error);
  });
}

test("what is wrong is said, and nothing of the key", () => {
  const kem = codekem.hqc1;
  const { publicKey, secretKey } = kem.keygen();
  const der = exportKey("pkcs8", kem, secretKey);
  const pem = toPem("pkcs8", der);
  const mlKem = Buffer.from(
    "3034020100300b060960864801650304040104228020" + "00".repeat(32),
    "hex",
  );
  const cases = [
    [() => importKey("pkcs8", codekem.hqc3, pem), /a key of HQC-1, not of HQC-3/],
    [() => importKey("pkcs8", kem, mlKem), /object identifier 2\.16\.840\.1\.101\.3\.4\.4\.1$/],
    [() => importKey("spki", kem, pem), /this is a PRIVATE KEY, where a PUBLIC KEY belongs/],
    [() => importKey("pkcs8", kem, pem.replaceAll("PRIV", "ENCRYPTED PRIV")), /is encrypted/],
    [() => importKey("pkcs8", kem, pem.slice(0, 90)), /not in PEM/],
    [() => importKey("pkcs8", kem, pem.replace("\n", "\n!")), /not base64/],
    [() => importKey("pkcs8", kem, pem.replace("\n", "\nComment: x\n\n")), /not base64/],
    [() => importKey("jwk", kem, pem), RangeError],
    [() => importKey("spki", {}, pem), TypeError],
    [() => importKey("spki", kem, 5), TypeError],
    [() => exportKey("jwk", kem, publicKey), RangeError],
    [() => exportKey("spki", null, publicKey), TypeError],
    [() => exportKey("spki", kem, publicKey.subarray(1)), RangeError],
    [() => exportKey("spki", kem, new Uint8Array(publicKey.length)), /malformed/],
    [() => exportKey("pkcs8", kem, publicKey), RangeError],
    [() => exportKey("pkcs8", kem, "key"), TypeError],
    [() => exportKey("pkcs8", kem, secretKey.with(0, secretKey[0] ^ 1)), /malformed/],
    [() => exportKey("pkcs8", kem, secretKey, "half"), RangeError],
    [() => toPem("jwk", der), RangeError],
    [() => toPem("spki", pem), TypeError],
  ];
  for (const [call, expected] of cases) {
    assert.throws(call, (error) => {
      if (expected instanceof RegExp) assert.match(error.message, expected);
      else assert.ok(error instanceof expected);
      assert.ok(error.message.length < 200);
      return true;
    });
  }
});
