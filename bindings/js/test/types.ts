// SPDX-License-Identifier: Apache-2.0 OR MIT
// What a user of TypeScript writes, and mistakes that the compiler must find. It is never run.
import { bikeL1, hqc1, type Bytes, type Encapsulated, type Kem, type KeyPair } from "codekem";
import { bikeL5 } from "codekem/bike.js";
import { hqc5 } from "codekem/hqc.js";

const keys: KeyPair = hqc1.keygen();
const sent: Encapsulated = hqc1.encapsulate(keys.publicKey);
const secret: Bytes = hqc1.decapsulate(sent.cipherText, keys.secretKey);
const all: readonly Kem[] = [hqc1, hqc5, bikeL1, bikeL5];
export const sizes: number[] = all.map((kem) => kem.lengths.publicKey + secret.length);

// It is a Uint8Array, and not whatever one likes.
export const plain: Uint8Array = secret;
// @ts-expect-error bytes are no number
export const count: number = keys.publicKey;

// For engines that compile no WebAssembly from bytes.
import compiled from "codekem/hqc.wasm";
export const loaded: Promise<void> = hqc1.ready(compiled);

// Keys in files: a seed that may be missing, and bytes or a text.
import { exportKey, importKey, toPem, type PrivateKey } from "codekem/keys.js";
const file: string = toPem("pkcs8", exportKey("pkcs8", hqc1, keys.secretKey, "both"));
export const found: PrivateKey = importKey("pkcs8", hqc1, file);
export const other: Bytes = importKey(
  "spki",
  hqc1,
  exportKey("spki", hqc1, found.publicKey),
).publicKey;
// @ts-expect-error the seed may not be known
export const seed: Bytes = found.seed;
// @ts-expect-error there is no such form
exportKey("pkcs8", hqc1, keys.secretKey, "half");

// Web Crypto takes the secret as it is.
export const imported = crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveKey"]);

// @ts-expect-error a string is no key
hqc1.encapsulate("key");
// @ts-expect-error the secret key is missing
hqc1.decapsulate(sent.cipherText);
// @ts-expect-error lengths cannot be changed
hqc1.lengths.publicKey = 5;
// @ts-expect-error there is no such level
import { hqc2 } from "codekem/hqc.js";

// Hybrids are KEMs.
import { hybrid } from "codekem/hybrid.js";
const both: Kem = hybrid(hqc1, "P256");
// @ts-expect-error there is no such group
hybrid(hqc1, "P384");

// HPKE with an identifier that the program names.
import { kemForHpke, kemForHpkeCore } from "codekem/hpke.js";
export const enc: number = kemForHpke(both, 0xf100)().Nenc + kemForHpkeCore(both, 0xf100).encSize;
// @ts-expect-error an identifier is a number
kemForHpke(hqc1, "HQC-1");
