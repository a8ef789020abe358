import type { PatientChange } from '#core/api/calls/patient.ts'
import type { QueryDeed } from '#core/api/calls/review/query.ts'
import type { InboxDetail } from '#core/api/calls/sync.ts'
import { ApiFailure, fail } from '#core/api/errors.ts'
import { MASK } from '#core/form/definition/mask.ts'
import type { PageModel } from '#core/form/definition/page.ts'
import { parsePage } from '#core/form/definition/page.ts'
import type { JsonValue } from '#core/json.ts'
import { EMPTY_ITEM } from '#core/sync/entryChange.ts'
import type { ChangeReason, EntryChange, EntryTarget, ItemContent } from '#core/sync/entryChange.ts'
import type { QueryPlace } from '#core/review/queryThread.ts'
import { DELETED, contentAt, rowsOf, stateOf } from '#core/sync/merge.ts'
import type { ItemPlace } from '#core/sync/merge.ts'
import type { EntryRow, PatientRow } from '#core/api/sync/rows.ts'
import { seesCenter } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { enteredOther, passAuthors } from '#server/areas/entry/passes/authors.ts'
import { isMasked, maskContent, maskReason } from '#server/areas/entry/reading/mask.ts'
import { allDefinitions, fieldAt, loadOption } from '#server/areas/entry/reading/pages.ts'
import { loadEntryRows } from '#server/areas/entry/reading/rows.ts'
import { pageMasks } from '#server/areas/entry/reading/pageMasks.ts'
import { pageOfAct } from '#server/areas/entry/target.ts'
import { IDENTIFYING } from '#server/areas/patient/change.ts'
import { loadPatientRows } from '#server/areas/patient/store.ts'
import { isAboutMasked, loadQueryRows } from '#server/areas/query/rows.ts'
import type { Act, AnyAct } from '#server/operations/act.ts'
import { findBooked } from '#server/operations/booked.ts'
import type { Booked } from '#server/operations/booked.ts'
import { inboxLine } from '#server/areas/sync/inbox.ts'
import { holdOfEarlier } from '#server/operations/standing.ts'
import { findVisit } from '#server/areas/visit/store.ts'
import type { Queryable } from '#server/database/transaction.ts'

/**
 * What an operation in the inbox would change, for the person who decides. It is shown beside the current data, and
 * masked as for any reader.
 */

type Item = InboxDetail['items'][number]

/** @throws ApiFailure not_found where there is none that the member may see */
export async function inboxDetail(transaction: Queryable, member: Membership, key: string): Promise<InboxDetail> {
  const line = await inboxLine(transaction, member, key)
  const booked = await findBooked(transaction, key, member.projectId, 'released', false)
  if (booked === null) throw fail('not_found')
  const { act } = booked
  return {
    line,
    folderId: folderOf(act),
    pass: act.pass,
    items: await itemsOf(transaction, member, act),
    barred: await barOf(transaction, member, booked),
  }
}

/** Why the operation cannot be released now; null where it can, and where it has been decided. */
async function barOf(
  transaction: Queryable,
  member: Membership,
  { act, outcome, state }: Booked,
): Promise<InboxDetail['barred']> {
  if (state !== 'open') return null
  if (act.author.userId === member.userId) return 'own'
  if (member.projectStatus === 'close') return 'project_closed'
  if (outcome === 'held' || member.projectStatus !== 'process') return 'project_stopped'
  try {
    await holdOfEarlier(transaction, act, member.projectStatus)
  } catch (error) {
    if (error instanceof ApiFailure && error.error.code === 'waits_for_earlier') return 'waits_for_earlier'
    throw error
  }
  if (!('target' in act.body)) return null
  if (enteredOther(await passAuthors(transaction, act.body.target.patientId), act.author.userId, act.pass))
    return 'other_pass'
  const { rows } = await transaction.query<{ control: 'open' | 'frozen' | 'locked' }>({
    name: 'entry_control',
    text: 'SELECT control FROM entry WHERE id = $1 AND project_id = $2',
    values: [act.entityId, act.projectId],
  })
  const control = rows[0]?.control ?? 'open'
  if (control !== 'open') return control
  // A deletion needs no page.
  if (act.call === 'entry.delete') return null
  return (await pageOfAct(transaction, act, act.body.target)).page === null ? 'no_place_in_version' : null
}

/** The folder that an operation is about, or whose visit or page it is about. */
function folderOf({ body }: AnyAct): string | null {
  if ('target' in body) return body.target.folderId
  if ('place' in body) return body.place.folderId
  return 'folderId' in body ? body.folderId : null
}

async function itemsOf(transaction: Queryable, member: Membership, act: AnyAct): Promise<Item[]> {
  switch (act.call) {
    case 'patient.save': {
      const { no, initials, sex, enrolledOn, identity } = act.body
      const facts = Object.entries({ no, initials, sex, enrolledOn, ...identity }).filter(([, value]) => value !== null)
      return facts.map(([code, value]) =>
        patientItem(member, code, { base: EMPTY_ITEM, current: null, to: content(value), reason: null }),
      )
    }
    case 'patient.update': {
      const [patient] = await loadPatientRows(transaction, member, [act.entityId])
      return act.body.fields.map(({ field, base, to }) =>
        patientItem(member, field, {
          base: content(base),
          current: patient === undefined ? null : content(fieldOf(patient, field)),
          to: content(to),
          reason: act.body.reason,
        }),
      )
    }
    case 'patient.remove': {
      const [patient] = await loadPatientRows(transaction, member, [act.entityId])
      return [deletion(patient?.deleted ?? null, act.body.reason)]
    }
    case 'visit.save':
    case 'visit.update':
    case 'folder.config': {
      const stored = await findVisit(transaction, act.projectId, act.entityId)
      return act.body.fields.map(({ field, base, to }) =>
        plainItem(field, {
          base: content(base),
          current: stored === null ? null : content(stored[field]),
          to: content(to),
          reason: act.body.reason,
        }),
      )
    }
    case 'visit.remove':
    case 'folder.remove': {
      const stored = await findVisit(transaction, act.projectId, act.entityId)
      return [
        deletion(
          stored === null ? null : (act.call === 'visit.remove' ? stored.removed : stored.applies) !== null,
          act.body.reason,
        ),
      ]
    }
    case 'query.raise':
      return queryItems(act.body, act.body.text, await mayHear(transaction, member, act.body.place))
    case 'query.act':
      return deedItems(transaction, member, act)
    case 'entry.delete': {
      const entry = await Page.load(transaction, member, act, act.body.target)
      return [deletion(entry.row?.deleted ?? null, act.body.reason)]
    }
    case 'conflict.resolve': {
      const { seen, to, conflictId, target, reason } = act.body
      const place = await placeOfConflict(transaction, act.projectId, conflictId)
      const page = await Page.load(transaction, member, act, target)
      return place === null ? [] : [page.item(place, seen, to, reason)]
    }
    case 'entry.save':
    case 'entry.smartSave':
    case 'entry.submit':
    case 'entry.insert':
    case 'entry.smartInsert': {
      const page = await Page.load(transaction, member, act, act.body.target)
      return [
        ...act.body.rows.map((row) => page.rowItem(row)),
        ...act.body.items.map((item) => page.item(item, item.base, item.to, item.reason)),
      ]
    }
  }
}

async function deedItems(transaction: Queryable, member: Membership, act: Act<'query.act'>): Promise<Item[]> {
  const [query] = member.sensitive ? [] : await loadQueryRows(transaction, member, [act.entityId])
  const { text, category, act: deed, assignee } = act.body
  // Of a query that is not there yet, nobody knows here what it is about.
  const hears = member.sensitive || (query !== undefined && (await mayHear(transaction, member, query.place)))
  // To whom a query is given speaks for itself.
  const words = text ?? category ?? (deed === 'assign' ? null : deed)
  return [
    ...(assignee === undefined ? [] : [await assigneeItem(transaction, act.entityId, assignee)]),
    ...queryItems(act.body, words, text === null || hears, hears),
  ]
}

/** A page of a patient as the reader sees it: its words, its data, and its masked fields. */
class Page {
  readonly #models: readonly PageModel[]
  readonly #masked: ReadonlySet<string>
  readonly row: EntryRow | null

  private constructor(models: readonly PageModel[], masked: ReadonlySet<string>, row: EntryRow | null) {
    this.#models = models
    this.#masked = masked
    this.row = row
  }

  static async load(transaction: Queryable, member: Membership, act: AnyAct, target: EntryTarget): Promise<Page> {
    const [found] = await loadEntryRows(transaction, member, [act.entityId])
    // A patient may have been moved to a center that the reader does not see, since the operation came.
    const row = found !== undefined && seesCenter(member, found.centerId) ? found : null
    const own =
      act.crfVersionId === null ? null : await modelOf(transaction, { ...act, crfVersionId: act.crfVersionId }, target)
    const others = await allDefinitions(transaction, act.projectId, [target.pageId])
    const masks = member.sensitive
      ? null
      : (await pageMasks(transaction, act.projectId, [target.pageId])).get(target.pageId)
    return new Page([...(own === null ? [] : [own]), ...others.map(({ page }) => page)], masks ?? new Set(), row)
  }

  item({ table, rid, code }: ItemPlace, base: ItemContent, to: ItemContent, reason: ChangeReason | null): Item {
    const masked = isMasked(this.#masked, table, code)
    const current = this.row === null ? null : this.#current({ table, rid, code })
    return {
      table,
      rid,
      code,
      // For a row that somebody deleted, the table is named.
      ...(code === DELETED && table !== null ? this.#label(null, table) : this.#label(table, code)),
      ...this.#tableLabel(table),
      rowNo: this.#rowNo(table, rid),
      reason: masked && reason !== null ? maskReason(reason) : reason,
      base: masked ? maskContent(base) : base,
      current: masked && current !== null ? maskContent(current) : current,
      to: masked ? maskContent(to) : to,
    }
  }

  /** A row that is made, deleted or brought back; or only its new place, where it is moved. */
  rowItem({ table, rid, base, to, reason }: EntryChange['rows'][number]): Item {
    const moved = base !== null && base.deleted === to.deleted
    const row = rowsOf(this.row?.values[table])?.find((candidate) => candidate['_rid'] === rid)
    const now = row === undefined ? null : stateOf(row)
    const readContent = (state: typeof to | null): ItemContent =>
      content(state === null ? null : moved ? state.order : state.deleted)
    const code = moved ? '_ord' : DELETED
    return {
      table,
      rid,
      code,
      ...this.#label(null, table),
      ...this.#tableLabel(table),
      rowNo: this.#rowNo(table, rid),
      base: readContent(base),
      current: now === null ? null : readContent(now),
      to: readContent(to),
      reason,
    }
  }

  #rowNo(table: string | null, rid: string | null): number | null {
    if (table === null || rid === null) return null
    const there = (rowsOf(this.row?.values[table]) ?? []).filter((row) => !stateOf(row).deleted)
    const at = there.findIndex((row) => row['_rid'] === rid)
    return at === -1 ? null : at + 1
  }

  #current(place: ItemPlace): ItemContent | null {
    if (this.row === null) return null
    return place.code === DELETED && place.table === null ? content(this.row.deleted) : contentAt(this.row, place)
  }

  #label(table: string | null, code: string): Pick<Item, 'label' | 'labelEn'> {
    for (const model of this.#models) {
      const field = fieldAt(model, table, code)
      if (field !== null && field.label !== '') return { label: field.label, labelEn: field.labelEn }
    }
    return { label: code }
  }

  #tableLabel(table: string | null): Pick<Item, 'tableLabel' | 'tableLabelEn'> {
    if (table === null) return { tableLabel: null }
    const { label, labelEn = null } = this.#label(null, table)
    return { tableLabel: label, tableLabelEn: labelEn }
  }
}

/**
 * The page as it was on the author's screen; null where that version has no such page, or where the page cannot be
 * read.
 */
async function modelOf(
  transaction: Queryable,
  act: { readonly projectId: string; readonly crfVersionId: string },
  target: EntryTarget,
): Promise<PageModel | null> {
  const { page } = await pageOfAct(transaction, act, target)
  if (page === null) return null
  const model = parsePage(await loadOption(transaction, page))
  return model.ok ? model.page : null
}

async function placeOfConflict(transaction: Queryable, projectId: string, id: string): Promise<ItemPlace | null> {
  const { rows } = await transaction.query<ItemPlace>({
    name: 'conflict_place',
    text: 'SELECT table_prop AS "table", rid, prop AS code FROM conflict WHERE id = $1 AND project_id = $2',
    values: [id, projectId],
  })
  return rows[0] ?? null
}

function content(value: JsonValue): ItemContent {
  return { value, missing: null }
}

/** Whether the member may know what is said about a place: of a field that identifies the patient, not everybody. */
async function mayHear(transaction: Queryable, member: Membership, place: QueryPlace): Promise<boolean> {
  if (member.sensitive || place.pageId === null) return true
  const masks = await pageMasks(transaction, member.projectId, [place.pageId])
  return !isAboutMasked(masks.get(place.pageId) ?? new Set(), place)
}

/**
 * What somebody says in a query, and the names of the files that they bring.
 *
 * @param hears whether the reader may know the words, and `sees` the names of the files
 */
function queryItems(
  { files = [] }: Pick<QueryDeed, 'files'>,
  words: string | null,
  hears: boolean,
  sees: boolean = hears,
): Item[] {
  const makeItem = (code: string, value: string) =>
    plainItem(code, { base: EMPTY_ITEM, current: null, to: content(value), reason: null })
  return [
    ...(words === null ? [] : [makeItem('query', hears ? words : MASK)]),
    ...files.map(({ name }) => makeItem('queryFile', sees ? name : MASK)),
  ]
}

/** To whom a query is to be given, and who has it now; nobody in particular where that is null. */
async function assigneeItem(transaction: Queryable, queryId: string, assignee: string | null): Promise<Item> {
  const { rows } = await transaction.query<{ to: string | null; current: string | null; isThere: boolean }>({
    name: 'inbox_assignee',
    text: `
      SELECT (SELECT real_name FROM app_user WHERE id = $2) AS to, u.real_name AS current, q.id IS NOT NULL AS "isThere"
      FROM (VALUES ($1::uuid)) AS asked (id) LEFT JOIN query q ON q.id = asked.id LEFT JOIN app_user u ON u.id = q.assignee`,
    values: [queryId, assignee],
  })
  const { to = null, current = null, isThere = false } = rows[0] ?? {}
  return plainItem('queryAssignee', {
    base: EMPTY_ITEM,
    current: isThere ? content(current) : null,
    to: content(to),
    reason: null,
  })
}

type Told = Pick<Item, 'base' | 'current' | 'to' | 'reason'>

function deletion(now: boolean | null, reason: ChangeReason): Item {
  return plainItem(DELETED, {
    base: content(false),
    current: now === null ? null : content(now),
    to: content(true),
    reason,
  })
}

/** Changes that belong to no page. */
function plainItem(code: string, told: Told): Item {
  return { table: null, rid: null, code, label: code, tableLabel: null, rowNo: null, ...told }
}

function patientItem(member: Membership, code: string, { base, current, to, reason }: Told): Item {
  const masked = IDENTIFYING.has(code) && !member.sensitive
  const readContent = (one: ItemContent): ItemContent => (masked ? maskContent(one) : one)
  return plainItem(code, {
    base: readContent(base),
    current: current === null ? null : readContent(current),
    to: readContent(to),
    reason: masked && reason !== null ? maskReason(reason) : reason,
  })
}

/**
 * Facts that identify a patient are left out for a reader without the right to see them: such a reader does not even
 * learn whether a fact exists.
 */
function fieldOf({ identity, ...row }: PatientRow, field: PatientChange['fields'][number]['field']): JsonValue {
  switch (field) {
    case 'initials':
    case 'sex':
    case 'enrolledOn':
      return row[field]
    case 'name':
    case 'mobile':
    case 'email':
    case 'birthDate':
      return identity === null ? MASK : identity[field]
  }
}
