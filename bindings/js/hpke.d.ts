// SPDX-License-Identifier: Apache-2.0 OR MIT
import type { Kem } from "./internal/types.js";

/**
 * Returns a KEM, or a hybrid, for the package `hpke` (RFC 9180): `new CipherSuite(kemForHpke(hqc1,
 * id), KDF_HKDF_SHA256, AEAD_AES_128_GCM)`. A private key is the seed. `DeriveKeyPair` is that of
 * draft-ietf-hpke-pq-05. It needs Node's `crypto`.
 * @param id The identifier of the KEM, of 16 bits. None is registered for these, so both sides
 *   agree on one, which no other KEM of theirs has: it is hashed into every key.
 */
export declare function kemForHpke(kem: Kem, id: number): () => HpkeKem;

/** The same for `@hpke/core`: `new CipherSuite({kem: kemForHpkeCore(hqc1, id), ...})`. */
export declare function kemForHpkeCore(kem: Kem, id: number): HpkeCoreKem;

/** Keys are made and read by the library's own functions. */
export interface HpkeKey {
  readonly algorithm: { name: string };
  readonly extractable: boolean;
  readonly type: "private" | "public";
}

/** What the package `hpke` wants of a KEM. */
export interface HpkeKem {
  readonly id: number;
  readonly type: "KEM";
  readonly name: string;
  readonly Nsecret: number;
  readonly Nenc: number;
  readonly Npk: number;
  readonly Nsk: number;
  DeriveKeyPair(ikm: Uint8Array, extractable: boolean): Promise<any>;
  GenerateKeyPair(extractable: boolean): Promise<any>;
  SerializePublicKey(key: HpkeKey): Promise<Uint8Array>;
  DeserializePublicKey(key: Uint8Array): Promise<any>;
  SerializePrivateKey(key: HpkeKey): Promise<Uint8Array>;
  DeserializePrivateKey(key: Uint8Array, extractable: boolean): Promise<any>;
  Encap(pkR: HpkeKey): Promise<{ shared_secret: Uint8Array; enc: Uint8Array }>;
  Decap(enc: Uint8Array, skR: HpkeKey, pkR?: HpkeKey): Promise<Uint8Array>;
}

/** What the package `@hpke/core` wants of a KEM; its own types call keys CryptoKey. */
export interface HpkeCoreKem {
  readonly id: number;
  readonly secretSize: number;
  readonly encSize: number;
  readonly publicKeySize: number;
  readonly privateKeySize: number;
  serializePublicKey(key: any): Promise<ArrayBuffer>;
  deserializePublicKey(key: ArrayBufferLike | ArrayBufferView): Promise<any>;
  serializePrivateKey(key: any): Promise<ArrayBuffer>;
  deserializePrivateKey(key: ArrayBufferLike | ArrayBufferView): Promise<any>;
  importKey(format: string, key: any, isPublic?: boolean): Promise<any>;
  generateKeyPair(): Promise<any>;
  deriveKeyPair(ikm: ArrayBufferLike | ArrayBufferView): Promise<any>;
  encap(params: any): Promise<{ sharedSecret: ArrayBuffer; enc: ArrayBuffer }>;
  decap(params: any): Promise<ArrayBuffer>;
}
