import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Passwords of the roles of our own PostgreSQL. The superuser's only makes the others. */
export interface ClusterSecrets {
  readonly superuser: string
  readonly owner: string
  readonly app: string
  readonly console: string
}

/** Reads the secrets, or null when there are none yet. Throws when the file is there but cannot be used. */
export async function readSecrets(file: string): Promise<ClusterSecrets | null> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
  const value: unknown = JSON.parse(text)
  if (!isSecrets(value)) throw new TypeError(`${file} does not hold the passwords of a database`)
  return value
}

/** Makes new secrets and stores them so that only their owner can read them. They are on the disk when this returns. */
export async function makeSecrets(file: string): Promise<ClusterSecrets> {
  const secrets = {
    superuser: randomPassword(),
    owner: randomPassword(),
    app: randomPassword(),
    console: randomPassword(),
  }
  await writeDurably(file, `${JSON.stringify(secrets, null, 2)}\n`)
  return secrets
}

/** Replaces `file` in one step. After a power cut there is the old one or the new one, readable by its owner only. */
export async function writeDurably(file: string, text: string): Promise<void> {
  const draft = await open(`${file}.new`, 'w', 0o600)
  try {
    await draft.writeFile(text)
    await draft.sync()
  } finally {
    await draft.close()
  }
  await rename(`${file}.new`, file)
  const folder = await open(dirname(file), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/**
 * The password of a role on the operator's PostgreSQL, derived from the owner's password. So every process of the
 * server gets the same one without a place to share it.
 */
export function derivePassword(ownerPassword: string, role: string): string {
  return createHmac('sha256', ownerPassword).update(`zhenglu role password 1:${role}`).digest('base64url')
}

/**
 * The form in which PostgreSQL stores a password. We send it instead of the password, which keeps the password out of
 * the database's logs.
 */
export function scramVerifier(password: string): string {
  const salt = randomBytes(16)
  const rounds = 4096
  const salted = pbkdf2Sync(password, salt, rounds, 32, 'sha256')
  const keyOf = (label: string): Buffer => createHmac('sha256', salted).update(label).digest()
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${rounds}:${salt.toString('base64')}$${stored}:${keyOf('Server Key').toString('base64')}`
}

function randomPassword(): string {
  return randomBytes(24).toString('base64url')
}

function isSecrets(value: unknown): value is ClusterSecrets {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['superuser', 'owner', 'app', 'console'].every((role) => typeof Reflect.get(value, role) === 'string')
  )
}
