// SPDX-License-Identifier: Apache-2.0 OR MIT
// HPKE by two libraries that know nothing of each other, hpke and @hpke/core, over our KEMs: what
// one seals the other opens, keys included. It prints a line for each KEM.
import * as core from "@hpke/core";
import assert from "node:assert/strict";
import * as hpke from "hpke";

import { bikeL1, hqc1, hqc3, hqc5 } from "codekem";
import { kemForHpke, kemForHpkeCore } from "codekem/hpke.js";
import { hybrid } from "codekem/hybrid.js";

const text = new TextEncoder().encode("to be kept secret");
const info = new TextEncoder().encode("codekem");
const aad = new TextEncoder().encode("seen by all");
const KEMS = [hqc1, hqc3, hqc5, bikeL1, hybrid(hqc1), hybrid(hqc5, "P256"), hybrid(bikeL1, "P256")];

let id = 0xf100; // of nobody's
for (const kem of KEMS) {
  id += 1;
  const one = new hpke.CipherSuite(
    kemForHpke(kem, id),
    hpke.KDF_HKDF_SHA256,
    hpke.AEAD_AES_128_GCM,
  );
  const other = new core.CipherSuite({
    kem: kemForHpkeCore(kem, id),
    kdf: new core.HkdfSha256(),
    aead: new core.Aes128Gcm(),
  });
  const ikm = crypto.getRandomValues(new Uint8Array(kem.lengths.seed));

  // The same material gives both the same keys, and each reads those of the other.
  const pair = await one.DeriveKeyPair(ikm, true);
  const otherPair = await other.kem.deriveKeyPair(ikm.slice().buffer);
  const seed = await one.SerializePrivateKey(pair.privateKey);
  assert.deepEqual(new Uint8Array(await other.kem.serializePrivateKey(otherPair.privateKey)), seed);
  const otherKey = await other.kem.deserializePrivateKey(seed.slice().buffer);
  const publicKey = await one.SerializePublicKey(pair.publicKey);
  const otherPublic = await other.kem.deserializePublicKey(publicKey.slice().buffer);

  const sent = await one.Seal(pair.publicKey, text, { info, aad });
  const opened = await other.open(
    { recipientKey: otherKey, enc: sent.encapsulatedSecret, info },
    sent.ciphertext,
    aad,
  );
  assert.deepEqual(new Uint8Array(opened), text);

  const back = await other.seal({ recipientPublicKey: otherPublic, info }, text, aad);
  const enc = new Uint8Array(back.enc);
  const ciphertext = new Uint8Array(back.ct);
  assert.deepEqual(await one.Open(pair.privateKey, enc, ciphertext, { info, aad }), text);

  // Another ciphertext, another identifier: nothing opens.
  const altered = enc.slice();
  altered[7] ^= 1;
  await assert.rejects(one.Open(pair.privateKey, altered, ciphertext, { info, aad }));
  const named = new hpke.CipherSuite(
    kemForHpke(kem, id + 1),
    hpke.KDF_HKDF_SHA256,
    hpke.AEAD_AES_128_GCM,
  );
  const key = await named.DeserializePrivateKey(seed, true);
  await assert.rejects(named.Open(key, enc, ciphertext, { info, aad }));

  // A key that may not be had; keys of another kind.
  const hidden = await one.GenerateKeyPair(false);
  await assert.rejects(one.SerializePrivateKey(hidden.privateKey));
  await assert.rejects(one.Seal(pair.privateKey, text));
  assert.ok(!JSON.stringify(pair.privateKey).includes(Buffer.from(seed).toString("hex")));
  const sender = { recipientPublicKey: otherPublic, senderKey: otherKey };
  await assert.rejects(other.createSenderContext(sender), /authenticates|Not supported/);
  console.log(kem.name);
}
assert.throws(() => kemForHpke(hqc1, 0x10000), RangeError);
assert.throws(() => kemForHpke({}, 1), TypeError);
