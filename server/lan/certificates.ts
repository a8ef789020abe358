import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { KeyObject, X509Certificate } from 'node:crypto'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import * as asn from '@peculiar/asn1-x509'

/**
 * The two certificates of a site in X.509 form (RFC 5280): the authority, which tablets trust, and the server's
 * certificate, which the authority signs. Keys are ECDSA on P-256, which every tablet of the last ten years accepts.
 */

const DAY_MS = 86_400_000
const AUTHORITY_YEARS = 10
/** Apple refuses more than 825 days from a private authority; 397 is what browsers long accepted from anybody. */
export const SERVER_DAYS = 397
/** A tablet whose clock is slow must not believe that a new certificate begins in the future. */
const CLOCK_ROOM_MS = DAY_MS

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2'
const COMMON_NAME = '2.5.4.3'
const ORGANIZATION = '2.5.4.10'
const PRODUCT = 'Zhenglu 证录'
/** RFC 5280 allows 64 characters of a common name. */
const LONGEST_HOST_NAME = 36

/** A certificate and its private key, both PEM. */
export interface Pem {
  readonly cert: string
  readonly key: string
}

/** What the authority may certify: names with all names below them, and networks. */
export interface Permitted {
  readonly names: readonly string[]
  readonly networks: readonly string[]
}

/** The authority of a site. */
export interface SigningAuthority {
  readonly certificate: X509Certificate
  readonly key: KeyObject
}

/** Makes an authority that can only certify servers, directly, and only for permitted names and networks. */
export function makeAuthority(host: string, permitted: Permitted, now: Date): Pem {
  const pair = newPair()
  const name = nameOf(`${PRODUCT} · ${host.slice(0, LONGEST_HOST_NAME)} · ${now.toISOString().slice(0, 10)}`)
  const end = new Date(now)
  end.setUTCFullYear(end.getUTCFullYear() + AUTHORITY_YEARS)
  const subtrees = [
    ...permitted.names.map((dNSName) => ({ dNSName })),
    ...permitted.networks.map((iPAddress) => ({ iPAddress })),
  ]
  const cert = issue({
    subject: name,
    issuer: name,
    publicKey: pair.publicKey,
    signer: pair.privateKey,
    from: new Date(now.getTime() - CLOCK_ROOM_MS),
    until: end,
    extensions: [
      extension(asn.id_ce_basicConstraints, true, new asn.BasicConstraints({ cA: true, pathLenConstraint: 0 })),
      extension(asn.id_ce_keyUsage, true, new asn.KeyUsage(asn.KeyUsageFlags.keyCertSign | asn.KeyUsageFlags.cRLSign)),
      extension(asn.id_ce_subjectKeyIdentifier, false, new asn.SubjectKeyIdentifier(keyIdentifier(pair.publicKey))),
      extension(
        asn.id_ce_nameConstraints,
        true,
        new asn.NameConstraints({
          permittedSubtrees: new asn.GeneralSubtrees(
            subtrees.map((base) => new asn.GeneralSubtree({ base: new asn.GeneralName(base) })),
          ),
        }),
      ),
    ],
  })
  return { cert, key: pemOfKey(pair.privateKey) }
}

/** Makes a certificate for a server that is reached by these names and addresses. It never outlives its authority. */
export function makeServerCertificate(
  authority: SigningAuthority,
  reached: { readonly names: readonly string[]; readonly addresses: readonly string[] },
  now: Date,
): Pem {
  const pair = newPair()
  const from = new Date(now.getTime() - CLOCK_ROOM_MS)
  const until = Math.min(from.getTime() + SERVER_DAYS * DAY_MS, authority.certificate.validToDate.getTime())
  const own = AsnConvert.parse(authority.certificate.raw, asn.Certificate)
  const alternatives = [
    ...reached.names.map((dNSName) => ({ dNSName })),
    ...reached.addresses.map((iPAddress) => ({ iPAddress })),
  ]
  const cert = issue({
    subject: nameOf(reached.names[0] ?? 'localhost'),
    issuer: own.tbsCertificate.subject,
    publicKey: pair.publicKey,
    signer: authority.key,
    from,
    until: new Date(until),
    extensions: [
      extension(asn.id_ce_basicConstraints, true, new asn.BasicConstraints()),
      extension(asn.id_ce_keyUsage, true, new asn.KeyUsage(asn.KeyUsageFlags.digitalSignature)),
      extension(asn.id_ce_extKeyUsage, false, new asn.ExtendedKeyUsage([asn.id_kp_serverAuth])),
      extension(
        asn.id_ce_subjectAltName,
        false,
        new asn.SubjectAlternativeName(alternatives.map((name) => new asn.GeneralName(name))),
      ),
      extension(asn.id_ce_subjectKeyIdentifier, false, new asn.SubjectKeyIdentifier(keyIdentifier(pair.publicKey))),
      extension(
        asn.id_ce_authorityKeyIdentifier,
        false,
        new asn.AuthorityKeyIdentifier({
          keyIdentifier: new asn.KeyIdentifier(keyIdentifier(authority.certificate.publicKey)),
        }),
      ),
    ],
  })
  return { cert, key: pemOfKey(pair.privateKey) }
}

/** What an authority may certify; null when it has no such limit. */
export function permittedBy(authority: X509Certificate): Permitted | null {
  const { tbsCertificate } = AsnConvert.parse(authority.raw, asn.Certificate)
  const found = tbsCertificate.extensions?.find(({ extnID }) => extnID === asn.id_ce_nameConstraints)
  if (found === undefined) return null
  const bases = [...(AsnConvert.parse(found.extnValue, asn.NameConstraints).permittedSubtrees ?? [])].map(
    ({ base }) => base,
  )
  return {
    names: bases.flatMap(({ dNSName }) => dNSName ?? []),
    networks: bases.flatMap(({ iPAddress }) => iPAddress ?? []),
  }
}

interface Issue {
  readonly subject: asn.Name
  readonly issuer: asn.Name
  readonly publicKey: KeyObject
  readonly signer: KeyObject
  readonly from: Date
  readonly until: Date
  readonly extensions: readonly asn.Extension[]
}

function issue(wanted: Issue): string {
  const algorithm = new asn.AlgorithmIdentifier({ algorithm: ECDSA_WITH_SHA256 })
  const tbsCertificate = new asn.TBSCertificate({
    version: asn.Version.v3,
    serialNumber: bytes(serialNumber()),
    signature: algorithm,
    issuer: wanted.issuer,
    validity: new asn.Validity({ notBefore: wanted.from, notAfter: wanted.until }),
    subject: wanted.subject,
    subjectPublicKeyInfo: AsnConvert.parse(spki(wanted.publicKey), asn.SubjectPublicKeyInfo),
    extensions: new asn.Extensions([...wanted.extensions]),
  })
  const signature = sign('sha256', Buffer.from(AsnConvert.serialize(tbsCertificate)), wanted.signer)
  const certificate = new asn.Certificate({
    tbsCertificate,
    signatureAlgorithm: algorithm,
    signatureValue: bytes(signature),
  })
  return pem('CERTIFICATE', Buffer.from(AsnConvert.serialize(certificate)))
}

function newPair(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
}

function nameOf(commonName: string): asn.Name {
  const part = (type: string, text: string): asn.RelativeDistinguishedName =>
    new asn.RelativeDistinguishedName([
      new asn.AttributeTypeAndValue({ type, value: new asn.AttributeValue({ utf8String: text }) }),
    ])
  return new asn.Name([part(ORGANIZATION, PRODUCT), part(COMMON_NAME, commonName)])
}

function extension(extnID: string, critical: boolean, value: unknown): asn.Extension {
  return new asn.Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) })
}

/** 126 random bits, positive and without a leading zero byte, as DER wants an integer. */
function serialNumber(): Buffer {
  const serial = randomBytes(16)
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40
  return serial
}

/** RFC 7093: the first 160 bits of the SHA-256 of the key. */
function keyIdentifier(key: KeyObject): ArrayBuffer {
  return bytes(createHash('sha256').update(spki(key)).digest().subarray(0, 20))
}

function spki(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' })
}

function pemOfKey(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}

function pem(label: string, der: Buffer): string {
  return `-----BEGIN ${label}-----\n${(der.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END ${label}-----\n`
}

/** A copy, because a buffer may be a view of a larger pool. */
function bytes(buffer: Buffer): ArrayBuffer {
  return new Uint8Array(buffer).buffer
}
