import { scramVerifier } from '#server/database/secrets.ts'
import type { Queryable } from '#server/database/transaction.ts'

/**
 * The role of the running server: it may not change or remove audit rows. The migrations grant rights to it by this
 * name.
 */
export const APP_ROLE = 'zhenglu_app'
/** The role of the read-only console, with its own login: what SET ROLE hides, the same session can get back. */
export const CONSOLE_ROLE = 'zhenglu_console'
/** The role that owns the schema on our own PostgreSQL. It is no superuser. */
export const OWNER_ROLE = 'zhenglu_owner'

/** Makes a login role if there is none of this name. Returns whether it was made. `password` must not be empty. */
export async function ensureRole(connection: Queryable, role: string, password: string): Promise<boolean> {
  if ((await knownRoles(connection, [role])).length > 0) return false
  // Utility statements take no parameters. The verifier is base64 and the names are our own constants.
  await connection.query(
    `CREATE ROLE ${role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD '${scramVerifier(password)}'`,
  )
  return true
}

/** Lets only the owner and our two roles into the database. The migrations grant them their rights table by table. */
export async function closeDatabase(connection: Queryable, database: string): Promise<void> {
  const name = `"${database.replaceAll('"', '""')}"`
  await connection.query(`REVOKE ALL ON DATABASE ${name} FROM PUBLIC`)
  await connection.query('REVOKE ALL ON SCHEMA public FROM PUBLIC')
  for (const role of [APP_ROLE, CONSOLE_ROLE]) {
    await connection.query(`GRANT CONNECT ON DATABASE ${name} TO ${role}`)
    await connection.query(`GRANT USAGE ON SCHEMA public TO ${role}`)
  }
}

/** Which of `roles` exist. */
export async function knownRoles(connection: Queryable, roles: readonly string[]): Promise<readonly string[]> {
  const { rows } = await connection.query<{ rolname: string }>('SELECT rolname FROM pg_roles WHERE rolname = ANY($1)', [
    roles,
  ])
  return rows.map((row) => row.rolname)
}
