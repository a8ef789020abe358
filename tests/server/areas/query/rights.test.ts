import { beforeAll, describe, expect, it } from 'vitest'
import type { QueryResult } from '#core/api/calls/review/query.ts'
import { ApiFailure } from '#core/api/errors.ts'
import { defaultPermissions } from '#core/access/permissions.ts'
import type { ProjectRole } from '#core/access/permissions.ts'
import { queryRightsOf } from '#core/access/queryRights.ts'
import { newId } from '#core/ids.ts'
import { maySeeQuery, queryActs, queryAfter, querySources, queryStates, waitsForPerson } from '#core/review/query.ts'
import type { QueryAct, QueryRights, QuerySource, QueryState } from '#core/review/query.ts'
import { act, ask, askedByRule, counts, shown } from '#tests/server/areas/query/support.ts'
import type { Named } from '#tests/server/areas/query/support.ts'
import type { Person } from '#tests/server/support/world.ts'
import { addMember, countRows, enrol } from '#tests/server/support/world.ts'
import { worldForAllTests } from '#tests/server/support/worldFor.ts'

/** Every act on every query by everybody: the server allows what the table of states says (core/review/query.ts). */

interface Actor {
  readonly name: string
  readonly who: Person
  readonly rights: QueryRights
}

const world = worldForAllTests()
let patient: string
let everybody: readonly Actor[]
/** Who asks as a monitor, and who for data management. */
let askers: Readonly<Record<Exclude<QuerySource, 'system'>, Person>>
beforeAll(async () => {
  const { admin, monitor, lin, manager } = world.people
  const { north, south } = world.study
  const member = (name: string, role: ProjectRole) => addMember(world.services, world.study, name, role, [north, south])
  patient = await enrol(world)
  const people: readonly (readonly [string, Person, ProjectRole])[] = [
    ['ADMIN', admin, 'ADMIN'],
    ['PI', await member('pi', 'PI'), 'PI'],
    ['PM', await member('pm', 'PM'), 'PM'],
    ['CRA who asked', monitor, 'CRA'],
    ['another CRA', await member('monitor 2', 'CRA'), 'CRA'],
    ['CRC', lin, 'CRC'],
    ['DBD who asked', manager, 'DBD'],
    ['another DBD', await member('manager 2', 'DBD'), 'DBD'],
  ]
  everybody = people.map(([name, who, role]) => ({
    name,
    who,
    rights: queryRightsOf(new Set(defaultPermissions(role))),
  }))
  askers = { monitor, dataManagement: manager }
})

/** Where a query can be in its life. One that nobody decided to ask may be cancelled too. */
const lives = [...queryStates, 'rejected'] as const
type Life = (typeof lives)[number]

const stateOf = (life: Life): QueryState => (life === 'rejected' ? 'cancelled' : life)
const wasAsked = (life: Life): boolean => life !== 'candidate' && life !== 'rejected'

/** A query of this kind, brought where it is by what people did. */
async function made(source: QuerySource, life: Life): Promise<Named> {
  const { lin, manager } = world.people
  const isCandidate = !wasAsked(life)
  const query =
    source === 'system'
      ? await askedByRule(world, patient, { state: isCandidate ? 'candidate' : 'open' })
      : await ask(world, askers[source], patient, { isCandidate })
  const steps: readonly (readonly [QueryAct, Person])[] = {
    candidate: [],
    open: [],
    answered: [['answer', lin] as const],
    closed: [['close', manager] as const],
    cancelled: [['cancel', manager] as const],
    rejected: [['reject', manager] as const],
  }[life]
  for (const [deed, who] of steps) await act(world, who, query, deed)
  return query
}

/** What became of an act, in one word or two. */
async function outcome(attempt: Promise<QueryResult>): Promise<string> {
  try {
    const { query } = await attempt
    const turn = query?.thread.at(-1)
    return `${query?.state} ${turn?.effect}`
  } catch (error) {
    if (error instanceof ApiFailure) return error.error.code
    throw error
  }
}

describe.each(querySources)('a query of %s', (source) => {
  it('may be acted on by whom the table allows it, and leads where it says', async () => {
    const wrong: string[] = []
    let taken = 0
    /** Acts of those who brought the queries where they were. */
    let begun = 0
    const before = await countRows(world, 'query_act')
    for (const life of lives) {
      let query: Named | null = null
      for (const { name, who, rights } of everybody) {
        const isOwn = source !== 'system' && who === askers[source]
        const standing = { state: stateOf(life), source, isOwn, wasAsked: wasAsked(life) }
        for (const deed of queryActs) {
          if (query === null) {
            query = await made(source, life)
            begun += life === 'candidate' || life === 'open' ? 1 : 2
          }
          const said = queryAfter(standing, deed, rights)
          const late = deed === 'answer' && (life === 'closed' || life === 'cancelled' || life === 'rejected')
          const expected = said.ok
            ? `${said.state} ${late ? 'late' : 'applied'}`
            : said.error === 'state'
              ? `${standing.state} overtaken`
              : maySeeQuery(standing, rights)
                ? 'forbidden'
                : // As of a query that there is not.
                  await outcome(act(world, who, { id: newId(), patientId: patient }, deed))
          const got = await outcome(act(world, who, query, deed))
          if (got !== expected) wrong.push(`${life}: ${deed} by ${name}: ${got}, not ${expected}`)
          if (!got.includes(' ')) continue
          taken += 1
          if (!got.startsWith(`${standing.state} `)) query = null
        }
      }
    }
    expect(wrong).toEqual([])
    // What was refused has left nothing in any thread.
    expect((await countRows(world, 'query_act')) - before).toBe(begun + taken)
    expect(taken).toBeGreaterThan(60)
  })
})

it('what waits for somebody is what the table says, in lists, of each query and in the figures', async () => {
  const { rows } = await world.database.ownerPool.query<{ id: string; by: string | null }>(
    'SELECT id, raised_by AS by FROM query',
  )
  const raisedBy = new Map(rows.map(({ id, by }) => [id, by]))
  for (const { name, who, rights } of everybody) {
    const seen = await shown(world, who)
    const waiting = seen.filter(({ query }) =>
      waitsForPerson({ ...query, isOwn: raisedBy.get(query.id) === who.userId }, rights),
    )
    const ids = waiting.map(({ query }) => query.id)
    expect([name, seen.filter(({ waits }) => waits).map(({ query }) => query.id)]).toEqual([name, ids])
    expect([name, (await shown(world, who, { waits: '1' })).map(({ query }) => query.id)]).toEqual([name, ids])
    const figures = Object.fromEntries(
      queryStates.map((state) => [state, seen.filter(({ query }) => query.state === state).length]),
    )
    expect([name, await counts(world, who)]).toEqual([name, { ...figures, waits: ids.length }])
    const isToSee = (one: { readonly wasAsked: boolean }) => maySeeQuery(one, rights)
    expect([name, seen.filter(({ query }) => !isToSee(query))]).toEqual([name, []])
    // Who has nothing to do with queries is shown none; of who reviews them nothing is kept.
    expect([name, seen.length === rows.length]).toEqual([name, isToSee({ wasAsked: false })])
    expect([name, ids.length > 0]).toEqual([name, name !== 'PM'])
  }
})
