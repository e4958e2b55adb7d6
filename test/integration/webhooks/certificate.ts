/**
 * A self-signed certificate made on the spot, so that the repository contains no private key: just enough DER for one
 * P-256 certificate with subject alternative names (RFC 5280 §4.1).
 */
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { isIP } from 'node:net';

type Der = Buffer;

const tagged = (tag: number, ...parts: Uint8Array[]): Der => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
};
const sequence = (...parts: Uint8Array[]): Der => tagged(0x30, ...parts);
const integer = (n: number): Der => tagged(0x02, Buffer.from([n]));
const octets = (content: Uint8Array): Der => tagged(0x04, content);
const bits = (content: Uint8Array): Der => tagged(0x03, Buffer.from([0]), content);
const text = (value: string): Der => tagged(0x0c, Buffer.from(value));
const oid = (...bytes: number[]): Der => tagged(0x06, Buffer.from(bytes));

const ECDSA_SHA256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
const COMMON_NAME = oid(0x55, 0x04, 0x03);
const ALT_NAME = oid(0x55, 0x1d, 0x11);
const BASIC_CONSTRAINTS = oid(0x55, 0x1d, 0x13);
const TRUE = tagged(0x01, Buffer.from([0xff]));

/** GeneralizedTime. */
const time = (date: Date): Der =>
  tagged(0x18, Buffer.from(`${date.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`));

const altName = (name: string): Der =>
  isIP(name) === 4 ? tagged(0x87, Buffer.from(name.split('.').map(Number))) : tagged(0x82, Buffer.from(name));

export interface TestCertificate {
  key: string;
  cert: string;
}

const DAY_MS = 86_400_000;

/** Valid from `fromDays` to `toDays` from now. */
const certificate = (names: readonly string[], fromDays: number, toDays: number): TestCertificate => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  // A unique name: of two certificates with the same name, OpenSSL may take the other one for the issuer.
  const name = sequence(tagged(0x31, sequence(COMMON_NAME, text(`${names[0]!} ${randomUUID()}`))));
  const inDays = (days: number): Der => time(new Date(Date.now() + days * DAY_MS));
  const validity = sequence(inDays(fromDays), inDays(toDays));
  const extensions = sequence(
    sequence(ALT_NAME, octets(sequence(...names.map(altName)))),
    sequence(BASIC_CONSTRAINTS, TRUE, octets(sequence(TRUE))),
  );
  const toBeSigned = sequence(
    tagged(0xa0, integer(2)),
    integer(1),
    ECDSA_SHA256,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, extensions),
  );
  const der = sequence(toBeSigned, ECDSA_SHA256, bits(sign('sha256', toBeSigned, privateKey)));
  const lines = der.toString('base64').replaceAll(/.{64}(?=.)/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
};

export const selfSigned = (...names: string[]): TestCertificate => certificate(names, -1, 1);
export const expired = (...names: string[]): TestCertificate => certificate(names, -3, -1);
export const notYetValid = (...names: string[]): TestCertificate => certificate(names, 1, 3);
