import type { Pool, PoolClient } from 'pg'
import type { EntryChange } from '#core/sync/entryChange.ts'
import { entryId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import { directAct } from '#server/operations/act.ts'
import { takeIn } from '#server/operations/takeIn.ts'
import type { Services } from '#server/services.ts'
import { findSignedIn } from '#server/http/session.ts'

import type { StudyIds } from './study.ts'

/**
 * The floor of a page save: its own statements. The server's own code runs each save once on a connection that records
 * every statement and rolls back at the end; then the bare driver sends only these statements again.
 */

interface Statement {
  readonly name?: string
  readonly text: string
  readonly values?: readonly unknown[]
}

/** All statements of one save, beginning with the look-up of the sign-in. */
export type RecordedSave = readonly Statement[]

/** What a save needs besides the change. */
export interface SaveContext {
  readonly services: Pick<Services, 'config' | 'secrets' | 'log' | 'files'>
  readonly study: StudyIds
  readonly token: string
  readonly deviceId: string
}

/** Records what the server's code sends to the database, without leaving anything there. */
export async function recordSave(pool: Pool, context: SaveContext, body: EntryChange): Promise<RecordedSave> {
  const statements: Statement[] = []
  const services: Services = {
    ...context.services,
    pool: recording(pool, statements),
    now: () => new Date().toISOString(),
  }
  const signedIn = await findSignedIn(services, context.token)
  if ('why' in signedIn) throw new Error('the token is no good')
  const { study, deviceId } = context
  const act = directAct(
    {
      services,
      actor: signedIn.actor,
      acted: { at: services.now(), offsetMinutes: 480, driftMs: 0, deviceId, appVersion: '0.1.0' },
      key: newId(),
      protocol: 1,
      language: 'zh',
      ip: '127.0.0.1',
      crfId: study.versionId,
      pass: 1,
    },
    { call: 'entry.save', body, projectId: study.projectId, entityId: entryId(body.target) },
  )
  await takeIn(services, act)
  return statements
}

/** Sends the statements of a save again. */
export async function replaySave(client: PoolClient, save: RecordedSave): Promise<void> {
  for (const { name, text, values } of save) {
    await client.query({
      text,
      ...(name === undefined ? {} : { name }),
      ...(values === undefined ? {} : { values: [...values] }),
    })
  }
}

/** A pool whose connections record their statements, and roll back instead of committing. */
function recording(pool: Pool, into: Statement[]): Pool {
  const query = async (
    client: PoolClient,
    asked: string | Statement,
    values?: readonly unknown[],
  ): Promise<unknown> => {
    const statement: Statement =
      typeof asked === 'string' ? { text: asked, ...(values === undefined ? {} : { values }) } : asked
    into.push(statement)
    if (statement.text === 'COMMIT') {
      await client.query('ROLLBACK')
      return { command: 'COMMIT', rows: [], rowCount: null }
    }
    return client.query({ ...statement, values: [...(statement.values ?? [])] })
  }
  const wrapClient = (client: PoolClient): Pick<PoolClient, 'query' | 'on' | 'off' | 'release'> => ({
    query: ((asked: string | Statement, values?: readonly unknown[]) =>
      query(client, asked, values)) as PoolClient['query'],
    on: client.on.bind(client),
    off: client.off.bind(client),
    release: client.release.bind(client),
  })
  // The server's code only takes connections from a pool.
  return { connect: async () => wrapClient(await pool.connect()) } as unknown as Pool
}
