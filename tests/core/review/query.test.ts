import { describe, expect, it } from 'vitest'
import { defaultPermissions, projectRoles } from '#core/access/permissions.ts'
import type { ProjectRole } from '#core/access/permissions.ts'
import { queryRightsOf } from '#core/access/queryRights.ts'
import {
  canHaveQuery,
  maySeeQuery,
  offeredActs,
  queryActs,
  queryAfter,
  queryAfterCause,
  querySources,
  queryStates,
  waitsForPerson,
} from '#core/review/query.ts'
import type { QueryAct, QueryRights, QueryStanding, QueryState } from '#core/review/query.ts'

/** What each role holds unless a project says otherwise. */
const rightsOf = (role: ProjectRole): QueryRights => queryRightsOf(new Set(defaultPermissions(role)))

/** By hand: every act that is allowed, for every state, and where it leads. Whatever is not here is refused. */
type Allowed = Readonly<Record<QueryState, Partial<Readonly<Record<QueryAct, QueryState>>>>>

const NOTHING: Allowed = { candidate: {}, open: {}, answered: {}, closed: {}, cancelled: {} }

const SITE: Allowed = {
  candidate: {},
  open: { answer: 'answered', comment: 'open', assign: 'open' },
  answered: { answer: 'answered', comment: 'answered' },
  closed: { answer: 'answered' },
  cancelled: { answer: 'cancelled' },
}

/** Data management ends everything, whoever has asked. */
const MANAGER: Allowed = {
  candidate: { promote: 'open', reject: 'cancelled', comment: 'candidate', assign: 'candidate' },
  open: { close: 'closed', cancel: 'cancelled', comment: 'open', assign: 'open' },
  answered: { requery: 'open', close: 'closed', comment: 'answered', assign: 'answered' },
  closed: { reopen: 'open' },
  cancelled: {},
}

/** A monitor ends what monitors ask, and takes back what they have asked themselves. */
const OWN: Allowed = MANAGER
const OF_MONITORS: Allowed = {
  candidate: { comment: 'candidate', assign: 'candidate' },
  open: { close: 'closed', comment: 'open', assign: 'open' },
  answered: { requery: 'open', close: 'closed', comment: 'answered', assign: 'answered' },
  closed: { reopen: 'open' },
  cancelled: {},
}
const OF_OTHERS: Allowed = {
  candidate: { comment: 'candidate', assign: 'candidate' },
  open: { comment: 'open', assign: 'open' },
  answered: { comment: 'answered', assign: 'answered' },
  closed: {},
  cancelled: {},
}

function expected(role: ProjectRole, { source, isOwn, wasAsked, state }: QueryStanding): Allowed {
  if (role === 'PM') return NOTHING
  if (!wasAsked && state !== 'candidate' && (role === 'PI' || role === 'CRC')) return NOTHING
  if (role === 'PI' || role === 'CRC') return SITE
  if (role === 'DBD' || role === 'ADMIN') return MANAGER
  if (isOwn && source !== 'system') return OWN
  return source === 'monitor' ? OF_MONITORS : OF_OTHERS
}

/** Every query there can be, for whoever looks at it. A rule is nobody's own; a rejected candidate was never asked. */
const standings: readonly QueryStanding[] = queryStates.flatMap((state) =>
  querySources.flatMap((source) =>
    (source === 'system' ? [false] : [true, false]).flatMap((isOwn) =>
      (state === 'cancelled' ? [true, false] : [state !== 'candidate']).map((wasAsked) => ({
        state,
        source,
        isOwn,
        wasAsked,
      })),
    ),
  ),
)

const cases = projectRoles.flatMap((role) => standings.map((query) => ({ role, query })))

describe('the life of a query', () => {
  it('has an answer for every role, state, source and act', () => {
    expect(cases).toHaveLength(6 * 5 * 6)
  })

  it.each(cases)(
    '$role, $query.state ($query.wasAsked), asked by $query.source (own: $query.isOwn)',
    ({ role, query }) => {
      const allowed = expected(role, query)[query.state]
      for (const act of queryActs) {
        const said = queryAfter(query, act, rightsOf(role))
        expect([act, said.ok ? said.state : null]).toEqual([act, allowed[act] ?? null])
      }
    },
  )

  it.each(cases)('screens offer $role what is allowed of a query $query.state by $query.source', ({ role, query }) => {
    const allowed = Object.keys(expected(role, query)[query.state])
    const isOver = query.state === 'closed' || query.state === 'cancelled'
    expect(offeredActs(query, rightsOf(role)).toSorted()).toEqual(
      allowed.filter((act) => !(isOver && act === 'answer')).toSorted(),
    )
  })

  it('says whether the state or the right stands against an act, and of the state nothing to who may not see it', () => {
    const refusal = (role: ProjectRole, state: QueryState, act: QueryAct) => {
      const said = queryAfter(
        { state, source: 'dataManagement', isOwn: false, wasAsked: state !== 'candidate' },
        act,
        rightsOf(role),
      )
      return said.ok ? null : said.error
    }
    expect(refusal('DBD', 'open', 'reopen')).toBe('state')
    expect(refusal('CRC', 'open', 'close')).toBe('right')
    expect(refusal('CRC', 'candidate', 'answer')).toBe('right')
    expect(refusal('PM', 'open', 'comment')).toBe('right')
  })

  it('keeps an answer that comes late, and puts it before whoever closes', () => {
    const late: QueryStanding = { state: 'closed', source: 'monitor', isOwn: false, wasAsked: true }
    expect(queryAfter(late, 'answer', rightsOf('CRC'))).toEqual({ ok: true, state: 'answered' })
    expect(queryAfter({ ...late, state: 'cancelled' }, 'answer', rightsOf('CRC'))).toEqual({
      ok: true,
      state: 'cancelled',
    })
  })
})

describe('what nobody has decided to ask', () => {
  it('is seen by those who review and not by the site', () => {
    const seen = (wasAsked: boolean) => projectRoles.filter((role) => maySeeQuery({ wasAsked }, rightsOf(role)))
    expect(seen(false)).toEqual(['ADMIN', 'CRA', 'DBD'])
    expect(seen(true)).toEqual(['ADMIN', 'PI', 'CRA', 'CRC', 'DBD'])
  })
})

describe('what happens to a query by itself', () => {
  it('ends what a rule asked once the value passes, but neither a person’s question nor an answer nobody has read', () => {
    const after = queryStates.flatMap((state) =>
      querySources.map((source) => [state, source, queryAfterCause({ state, source }, 'passes')] as const),
    )
    expect(after.filter(([, , to]) => to !== null)).toEqual([['open', 'system', 'closed']])
  })

  it('ends where the field is gone, whoever has asked', () => {
    const ends = { candidate: 'cancelled', open: 'closed', answered: 'closed', closed: null, cancelled: null }
    for (const source of querySources)
      for (const state of queryStates) expect(queryAfterCause({ state, source }, 'gone')).toBe(ends[state])
  })
})

describe('to whom a query can be given', () => {
  const fit = (state: QueryState, source: QueryStanding['source'], isOwn = false) =>
    projectRoles.filter((role) =>
      canHaveQuery({ state, source, isOwn, wasAsked: state !== 'candidate' }, rightsOf(role)),
    )

  it('to the site until it has answered, then to who may close it, and at the end to nobody', () => {
    for (const source of querySources)
      expect([fit('candidate', source), fit('open', source), fit('closed', source), fit('cancelled', source)]).toEqual([
        ['PI', 'CRC'],
        ['PI', 'CRC'],
        [],
        [],
      ])
    expect(fit('answered', 'monitor')).toEqual(['ADMIN', 'CRA', 'DBD'])
    expect(fit('answered', 'system')).toEqual(['ADMIN', 'DBD'])
  })

  it('by a site that did not know of the answer, it comes too late and is no matter of rights', () => {
    const answered: QueryStanding = { state: 'answered', source: 'monitor', isOwn: false, wasAsked: true }
    expect(queryAfter(answered, 'assign', rightsOf('CRC'))).toEqual({ ok: false, error: 'state' })
    expect(queryAfter(answered, 'assign', rightsOf('CRA'))).toEqual({ ok: true, state: 'answered' })
  })
})

describe('whom a query waits for', () => {
  const waiting = (state: QueryState, source: QueryStanding['source'], isOwn = false) =>
    projectRoles.filter((role) =>
      waitsForPerson({ state, source, isOwn, wasAsked: state !== 'candidate' }, rightsOf(role)),
    )

  it('the site while it is open', () => {
    for (const source of querySources) expect(waiting('open', source)).toEqual(['PI', 'CRC'])
  })

  it('whoever closes it once it is answered, and whoever decides a candidate', () => {
    expect(waiting('answered', 'monitor')).toEqual(['ADMIN', 'CRA', 'DBD'])
    expect(waiting('answered', 'system')).toEqual(['ADMIN', 'DBD'])
    expect(waiting('candidate', 'dataManagement')).toEqual(['ADMIN', 'DBD'])
    expect(waiting('candidate', 'monitor', true)).toEqual(['ADMIN', 'CRA', 'DBD'])
  })

  it('nobody once it has ended', () => {
    for (const source of querySources)
      expect([waiting('closed', source), waiting('cancelled', source)]).toEqual([[], []])
  })
})
