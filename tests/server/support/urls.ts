/** Every role of the tests has this password: the tests' databases are thrown away with them. */
export const TEST_PASSWORD = 'only-in-tests'

/** The address of one database as one role, on the PostgreSQL that `adminUrl` points to. */
export function databaseUrl(adminUrl: string, database: string, role: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${database}`
  url.username = role
  url.password = TEST_PASSWORD
  return url.href
}
