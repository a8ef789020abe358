import type { Queryable } from '#server/database/transaction.ts'
import { scramVerifier } from '#server/database/secrets.ts'

/** The role of the running server: it may not change or remove audit rows. The migrations grant to it by this name. */
export const APP_ROLE = 'zhenglu_app'
/** The role of the read-only console, a login of its own: what SET ROLE hides can be got back inside of one session. */
export const CONSOLE_ROLE = 'zhenglu_console'
/** The role that owns the schema on our own PostgreSQL. It is no superuser. */
export const OWNER_ROLE = 'zhenglu_owner'

/** Makes a login role if there is none of this name. Returns whether it was made. `password` must not be empty. */
export async function ensureRole(connection: Queryable, role: string, password: string): Promise<boolean> {
  const { rowCount } = await connection.query('SELECT FROM pg_roles WHERE rolname = $1', [role])
  if (rowCount !== 0) return false
  // Utility statements take no parameters; the verifier is base64 and the names are our own constants.
  await connection.query(
    `CREATE ROLE ${role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD '${scramVerifier(password)}'`,
  )
  return true
}

/** Sets the password of a role of our own PostgreSQL to what the secrets say. */
export async function setPassword(connection: Queryable, role: string, password: string): Promise<void> {
  await connection.query(`ALTER ROLE ${role} PASSWORD '${scramVerifier(password)}'`)
}

/** Keeps everybody but our roles out of the database, and everybody but the owner from making things in it. */
export async function closeDatabase(connection: Queryable, database: string): Promise<void> {
  const name = `"${database.replaceAll('"', '""')}"`
  await connection.query(`REVOKE ALL ON DATABASE ${name} FROM PUBLIC`)
  await connection.query(`REVOKE ALL ON SCHEMA public FROM PUBLIC`)
  await grantEntry(connection, database)
}

/** Lets the app and the console in. What they may do there is granted by the migrations, table by table. */
export async function grantEntry(connection: Queryable, database: string): Promise<void> {
  const name = `"${database.replaceAll('"', '""')}"`
  for (const role of [APP_ROLE, CONSOLE_ROLE]) {
    const { rowCount } = await connection.query('SELECT FROM pg_roles WHERE rolname = $1', [role])
    if (rowCount === 0) continue
    await connection.query(`GRANT CONNECT ON DATABASE ${name} TO ${role}`)
    await connection.query(`GRANT USAGE ON SCHEMA public TO ${role}`)
  }
}
