import { fail } from '#core/api/errors.ts'
import type { JsonValue } from '#core/json.ts'
import type { ProjectStatus } from '#core/study/projectStatus.ts'
import type { Outcome } from '#core/sync/protocol/operation.ts'
import type { RowKind } from '#core/api/sync/rows.ts'
import { arrayText, jsonArrayText } from '#server/database/arrays.ts'
import { columns, prepare } from '#server/database/prepare.ts'
import type { Parameter } from '#server/database/prepare.ts'
import { auditInsert, auditLines, digestRows } from './auditDigest.ts'
import type { NewAuditRow, AuditLines, Stamp } from './auditDigest.ts'
import type { Queryable } from '#server/database/transaction.ts'

/**
 * The only way to write: every transaction ends here. One statement writes its audit rows, its changed rows for the
 * pull and the link of the hash chain, and takes the change number last (docs/adr/0004-audit-and-roles.md).
 */

/** A row that devices and lists have to read again. */
export interface NewChange {
  readonly kind: RowKind
  readonly rowId: string
  /** Null for a row that is common to the project. */
  readonly centerId: string | null
  /** Null for a row that belongs to both passes. */
  readonly pass: 1 | 2 | null
}

/** The place of a transaction in its project. */
export interface Committed {
  readonly seq: number
  readonly head: string
}

interface ProjectWork {
  readonly projectId: string
  readonly statuses: readonly ProjectStatus[]
  readonly under?: { readonly projectRights: number } | null
  readonly changesRights?: boolean
  readonly stamp: Stamp
  readonly audit: readonly NewAuditRow[]
  readonly changes: readonly NewChange[]
}

/**
 * Ends a project's transaction: takes the change number, links the chain, writes audit and change rows. It must be
 * the last step of a transaction, apart from storing its own receipt, because other writers of the project wait from
 * here on.
 *
 * - `under`: the membership under which the transaction was judged. Where anybody's rights in the project have
 *   changed since, nothing is written. So no write overtakes a withdrawal of rights that was committed before it.
 * - `changesRights`: the transaction changes somebody's rights.
 *
 * @param statuses project statuses in which this may happen
 * @throws ApiFailure busy where rights have changed since the judgement, because a new judgement may differ;
 *   project_not_started, project_stopped, project_closed, or not_found, when the status is another
 */
export async function commitProject(transaction: Queryable, work: ProjectWork): Promise<Committed> {
  const digested = digestRows(work.projectId, work.stamp, work.audit)
  const { rows } = await transaction.query<Committed>(
    COMMIT_PROJECT({
      projectId: work.projectId,
      digest: digested.digest,
      statuses: work.statuses,
      projectRights: work.under?.projectRights ?? null,
      raised: work.changesRights === true ? 1 : 0,
      audit: auditLines([digested]),
      changes: linkedChanges([work.changes]),
    }),
  )
  const committed = rows[0]
  if (committed === undefined) throw await whyNot(transaction, work.projectId, work.statuses)
  return committed
}

/** As `commitProject`, of what somebody does as the member whom the transaction has judged. */
export async function commitForMember(
  transaction: Queryable,
  member: { readonly projectId: string; readonly projectRights: number; readonly role: string },
  stampAs: (role: string) => Stamp,
  work: Omit<ProjectWork, 'projectId' | 'under' | 'stamp'>,
): Promise<Committed> {
  const { projectId, role } = member
  return commitProject(transaction, { ...work, projectId, under: member, stamp: stampAs(role) })
}

/** One of several writes that end together. */
export interface Link {
  readonly stamp: Stamp
  readonly audit: readonly NewAuditRow[]
  readonly changes: readonly NewChange[]
  /**
   * The answer that is stored with the operation's key. The statement fills in the place in the receipt of its
   * result.
   */
  readonly answer: {
    readonly key: string
    readonly outcome: Outcome
    readonly centerId: string | null
    readonly result: JsonValue
  }
}

/**
 * Ends a transaction of several operations on a project that were judged side by side. Each has its own change number
 * and link, as if each had come alone, one after the other in their order. No two of them may have changed the same
 * row.
 *
 * One statement writes all of it, with the answers. So while the project is locked, only the commit itself still
 * waits for this process, which may be busy with other things.
 *
 * @throws ApiFailure as `commitProject`
 */
export async function commitSeveral(
  transaction: Queryable,
  work: {
    readonly projectId: string
    readonly statuses: readonly ProjectStatus[]
    readonly under: { readonly projectRights: number }
    readonly links: readonly Link[]
  },
): Promise<readonly Committed[]> {
  const digested = work.links.map(({ stamp, audit }) => digestRows(work.projectId, stamp, audit))
  const { rows } = await transaction.query<Committed>(
    COMMIT_SEVERAL({
      projectId: work.projectId,
      digests: digested.map(({ digest }) => digest),
      statuses: work.statuses,
      projectRights: work.under.projectRights,
      answers: work.links.map(({ answer }) => answer),
      audit: auditLines(digested),
      changes: linkedChanges(work.links.map(({ changes }) => changes)),
    }),
  )
  if (rows.length < work.links.length) throw await whyNot(transaction, work.projectId, work.statuses)
  return rows
}

/** Ends a transaction that belongs to no project: sign-ins, users, settings. */
export async function commitSystem(
  transaction: Queryable,
  stamp: Stamp,
  audit: readonly NewAuditRow[],
): Promise<Committed> {
  const digested = digestRows(null, stamp, audit)
  const { rows } = await transaction.query<Committed>(
    COMMIT_SYSTEM({ digest: digested.digest, audit: auditLines([digested]) }),
  )
  const committed = rows[0]
  if (committed === undefined) throw fail('internal')
  return committed
}

type LinkedChange = NewChange & { readonly link: number }

/** The changed rows of each link, with the number of the link, from 1. */
function linkedChanges(links: readonly (readonly NewChange[])[]): readonly LinkedChange[] {
  return links.flatMap((drafts, at) => dedupe(drafts).map((change) => ({ ...change, link: at + 1 })))
}

function dedupe(changes: readonly NewChange[]): readonly NewChange[] {
  return [...new Map(changes.map((change) => [`${change.kind}/${change.rowId}`, change])).values()]
}

interface WithChanges {
  readonly changes: readonly LinkedChange[]
}

/** A common table expression that notes a statement's changed rows, for the links in `place (link, id, seq)`. */
function changeInsert<Input extends WithChanges>(parameter: Parameter<Input>): string {
  const changes = (read: (change: LinkedChange) => string | number | null) => (input: Input) =>
    arrayText(input.changes.map(read))
  const changed = columns<Input>(parameter, {
    link: ['integer[]', changes(({ link }) => link)],
    kind: ['text[]', changes(({ kind }) => kind)],
    row_id: ['uuid[]', changes(({ rowId }) => rowId)],
    center_id: ['uuid[]', changes(({ centerId }) => centerId)],
    pass: ['smallint[]', changes(({ pass }) => pass)],
  })
  return `changed AS (
        INSERT INTO change (project_id, kind, row_id, seq, center_id, pass)
        SELECT place.id, c.kind, c.row_id, place.seq, c.center_id, c.pass
        FROM place JOIN unnest(${changed.places}) AS c (${changed.names}) ON c.link = place.link
        ON CONFLICT (project_id, kind, row_id)
        DO UPDATE SET seq = excluded.seq, center_id = excluded.center_id, pass = excluded.pass
      )`
}

interface ProjectEnd extends WithChanges {
  readonly projectId: string
  readonly digest: string
  readonly statuses: readonly ProjectStatus[]
  readonly projectRights: number | null
  /** By how much the rights of the project have changed. */
  readonly raised: 0 | 1
  readonly audit: AuditLines
}

const COMMIT_PROJECT = prepare<ProjectEnd>('commit_project', (parameter) => {
  const digest = parameter((end) => end.digest)
  const rights = parameter(({ projectRights }) => projectRights)
  return `
      WITH place AS (
        UPDATE project
        SET
          seq = seq + 1, head = encode(sha256(convert_to(head || ${digest}, 'UTF8')), 'hex'),
          rights_rev = rights_rev + ${parameter(({ raised }) => raised)}
        WHERE id = ${parameter(({ projectId }) => projectId)} AND status = ANY (${parameter(({ statuses }) => statuses)})
          AND NOT deleted AND (${rights}::integer IS NULL OR rights_rev = ${rights})
        RETURNING 1 AS link, id, seq, head
      ), linked AS (
        INSERT INTO audit_link (project_id, seq, digest, head) SELECT id, seq, ${digest}, head FROM place
      ), ${changeInsert(parameter)}, ${auditInsert(parameter)}
      SELECT seq, head FROM place`
})

interface SeveralEnd extends WithChanges {
  readonly projectId: string
  readonly digests: readonly string[]
  readonly statuses: readonly ProjectStatus[]
  readonly projectRights: number
  readonly answers: readonly Link['answer'][]
  readonly audit: AuditLines
}

const COMMIT_SEVERAL = prepare<SeveralEnd>('commit_several', (parameter) => {
  const projectId = parameter((end) => end.projectId)
  const digests = `${parameter((end) => arrayText(end.digests))}::text[]`
  const answers = (read: (answer: Link['answer']) => string | null) => (end: SeveralEnd) =>
    arrayText(end.answers.map(read))
  const answer = columns<SeveralEnd>(parameter, {
    key: ['uuid[]', answers(({ key }) => key)],
    center_id: ['uuid[]', answers(({ centerId }) => centerId)],
    outcome: ['text[]', answers(({ outcome }) => outcome)],
    result: ['jsonb[]', (end) => jsonArrayText(end.answers.map(({ result }) => result))],
  })
  return `
      WITH RECURSIVE locked AS (
        SELECT seq, head FROM project
        WHERE id = ${projectId} AND status = ANY (${parameter(({ statuses }) => statuses)}) AND NOT deleted
          AND rights_rev = ${parameter(({ projectRights }) => projectRights)} FOR NO KEY UPDATE
      ), chain (link, seq, digest, head) AS (
        SELECT 0, seq, NULL::text, head FROM locked
        UNION ALL
        SELECT
          link + 1, seq + 1, (${digests})[link + 1],
          encode(sha256(convert_to(head || (${digests})[link + 1], 'UTF8')), 'hex')
        FROM chain WHERE link < cardinality(${digests})
      ), place AS (
        SELECT link, ${projectId}::uuid AS id, seq, digest, head FROM chain WHERE link > 0
      ), moved AS (
        UPDATE project p SET seq = place.seq, head = place.head
        FROM place WHERE p.id = ${projectId} AND place.link = cardinality(${digests})
      ), linked AS (
        INSERT INTO audit_link (project_id, seq, digest, head) SELECT id, seq, digest, head FROM place
      ), answered AS (
        UPDATE operation o SET
          center_id = d.center_id, outcome = d.outcome, seq = place.seq, head = place.head,
          result = jsonb_set(jsonb_set(d.result, '{receipt,seq}', to_jsonb(place.seq)), '{receipt,head}', to_jsonb(place.head))
        FROM unnest(${answer.places}) WITH ORDINALITY AS d (${answer.names}, link) JOIN place ON place.link = d.link
        WHERE o.key = d.key
      ), ${changeInsert(parameter)}, ${auditInsert(parameter)}
      SELECT seq, head FROM place ORDER BY link`
})

interface SystemEnd {
  readonly digest: string
  readonly audit: AuditLines
}

const COMMIT_SYSTEM = prepare<SystemEnd>('commit_system', (parameter) => {
  const digest = parameter((end) => end.digest)
  return `
      WITH place AS (
        UPDATE system_chain
        SET seq = seq + 1, head = encode(sha256(convert_to(head || ${digest}, 'UTF8')), 'hex')
        RETURNING 1 AS link, NULL::uuid AS id, seq, head
      ), linked AS (
        INSERT INTO audit_link (project_id, seq, digest, head) SELECT id, seq, ${digest}, head FROM place
      ), ${auditInsert(parameter)}
      SELECT seq, head FROM place`
})

/** The error that tells why the project did not take the write. */
async function whyNot(transaction: Queryable, projectId: string, statuses: readonly ProjectStatus[]): Promise<Error> {
  const { rows } = await transaction.query<{ status: ProjectStatus }>(
    'SELECT status FROM project WHERE id = $1 AND NOT deleted',
    [projectId],
  )
  const status = rows[0]?.status
  // The status allows the write. So the status changed back in between, or somebody's rights have changed. The write
  // has to be judged again.
  if (status !== undefined && statuses.includes(status)) return fail('busy')
  switch (status) {
    case undefined:
      return fail('not_found')
    case 'start':
      return fail('project_not_started')
    case 'stop':
      return fail('project_stopped')
    case 'close':
      return fail('project_closed')
    case 'process':
      return fail('busy')
  }
}
