import { entryId, visitId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import type { VisitKey } from '#core/derivedIds.ts'
import type { EntryChange, EntryTarget } from '#core/sync/entryChange.ts'
import { EMPTY_ITEM } from '#core/sync/entryChange.ts'
import { contentAt, DELETED, deletion, rowsOf, stateOf } from '#core/sync/merge.ts'
import { reasonKey, saidAt } from '#core/sync/reasons.ts'
import type { GivenReason } from '#core/sync/reasons.ts'
import { isEntryChange } from '#core/api/sync/operation.ts'
import type { CallWithBody } from '#core/api/sync/operation.ts'
import type { ConflictRow } from '#core/api/sync/rows.ts'
import type { PlannedOperation } from '#offline/outbox/plannedOperation.ts'
import { giveReasons } from '#offline/outbox/reasons.ts'
import { enqueue, openOperation } from '#offline/outbox/outbox.ts'
import type { EntryView, LocalWrite } from '#src/data/shapes/types.ts'
import { png } from '#tests/core/files/samples.ts'
import { answerQuery, askQuery, showQueries } from './answerHand.ts'
import type { ShownQuery } from './answerHand.ts'
import type { AtWork } from './atWork.ts'
import { isPoison } from './evidence.ts'
import { OpenPage, shownData } from './openPage.ts'
import { PHOTOS } from './photos.ts'
import { targetOf } from './places.ts'
import type { Places } from './places.ts'
import { Random } from './random.ts'
import { POISON } from './simTablet.ts'
import { ownRows } from './remains.ts'
import type { ShownPage } from './remains.ts'
import type {
  AnswerDone,
  AnswerIntent,
  Choice,
  Content,
  Decided,
  Edit,
  Entered,
  NewPatient,
  PageOf,
  PatientField,
  Photo,
  Plain,
  QuestionIntent,
  RowDone,
  RowIntent,
  SeenPage,
  SeenPatient,
  VisitDone,
  VisitIntent,
} from './simTablet.ts'

/**
 * What a person's hands do at a tablet: the app's own parts, used as its screens use them. One page is open at a time.
 */
export class Hands {
  readonly #placesNow: () => Places
  readonly #clock: () => string
  #page: OpenPage | null = null
  #takesTyping = false

  /** @param places where the work of whoever is there lies */
  constructor(places: () => Places, clock: () => string) {
    this.#placesNow = places
    this.#clock = clock
  }

  get #places(): Places {
    return this.#placesNow()
  }

  get page(): OpenPage | null {
    return this.#page
  }

  /** The screen is gone, with all that was only on it. */
  drop(): OpenPage | null {
    const page = this.#page
    this.#page = null
    return page
  }

  async patients({ device }: AtWork): Promise<readonly SeenPatient[]> {
    const list = await device.patients(this.#places.projectId, { size: 500 })
    return list.ok ? list.value.patients.map(({ id, no }) => ({ patientId: id, no })) : []
  }

  async enrol({ device }: AtWork, { initials, sex, name }: NewPatient): Promise<SeenPatient | null> {
    const { projectId, north } = this.#places
    const identity = { name, mobile: null, email: null, birthDate: null }
    const enrolled = await device.enrolPatient({
      projectId,
      centerId: north,
      initials,
      sex,
      enrolledOn: '2026-11-21',
      identity,
    })
    return enrolled.ok ? enrolled.value : null
  }

  async changePatient(
    work: AtWork,
    patientId: string,
    field: PatientField,
    to: string,
  ): Promise<{ readonly base: Plain } | null> {
    const list = await work.device.patients(this.#places.projectId, { size: 500 })
    const patient = list.ok ? list.value.patients.find(({ id }) => id === patientId) : undefined
    if (patient === undefined || patient.identity === null) return null
    const base = field === 'initials' || field === 'sex' ? patient[field] : patient.identity[field]
    if (base === to) return null
    const body = { id: patientId, projectId: this.#places.projectId, fields: [{ field, to, base }], reason: null }
    return (await this.#queue(work, { call: 'patient.update', body }, patientId, patientId)) ? { base } : null
  }

  async repeats({ device }: AtWork, patientId: string): Promise<readonly string[]> {
    const casebook = await device.casebook(patientId, this.#places.projectId)
    const pages = casebook.ok ? casebook.value.folders.flatMap((folder) => folder.pages) : []
    return pages.filter(({ target }) => target.pageId === this.#places.eventId).map(({ target }) => target.pageRepeat)
  }

  async open({ device }: AtWork, page: PageOf): Promise<SeenPage | null> {
    if (this.#page !== null) return null
    const { projectId } = this.#places
    const target = targetOf(this.#places, page)
    const [view, book] = await Promise.all([
      device.entry(projectId, target),
      device.casebook(target.patientId, projectId),
    ])
    // Whoever's data are not kept here, say, only reads a page.
    this.#takesTyping = book.ok && book.value.entry.allowed
    this.#page = view.ok ? OpenPage.open(device, projectId, view.value, this.#clock) : null
    return this.#page?.seen ?? null
  }

  async enter({ author, ended }: AtWork, field: string, entered: Entered): Promise<Edit | null> {
    const { scope } = this.#places
    // A page that was closed to typing, since a right has ended, is only shown.
    if (author === null || !this.#takesTyping || ended(scope)) return null
    const edit = this.#page?.enter(field, entered) ?? null
    return edit === null ? null : { ...edit, sealable: author.ring.has(scope) }
  }

  async row(work: AtWork, intent: RowIntent): Promise<RowDone | null> {
    const page = this.#page
    if (page === null || !this.#takesTyping || work.ended(this.#places.scope)) return null
    const { target, versionId } = page.view
    return page.row(intent, (change) =>
      this.#queue(work, { call: 'entry.save', body: change }, entryId(target), target.patientId, versionId),
    )
  }

  async photo({ device, author, ended }: AtWork, figure: number, bytes: number): Promise<Photo | null> {
    const page = this.#page
    if (
      page === null ||
      !this.#takesTyping ||
      !page.takesPhotos ||
      author === null ||
      ended(this.#places.scope) ||
      !author.ring.has(this.#places.scope)
    )
      return null
    const file = {
      name: `舌象${figure}.png`,
      type: 'image/png',
      content: new Blob([photograph(figure, bytes)]),
      thumb: null,
    }
    const taken = await device.takeFile(
      this.#places.projectId,
      page.view.target,
      { table: null, rid: null, code: PHOTOS },
      file,
    )
    if (!taken.ok || this.#page !== page) return null
    page.addPhoto(taken.value)
    return { fileId: taken.value.id, hash: taken.value.hash }
  }

  async visit({ device, author }: AtWork, patientId: string, intent: VisitIntent): Promise<VisitDone | null> {
    const { projectId, folderId, scope } = this.#places
    if (author === null || !author.ring.has(scope)) return null
    if (intent.how === 'make')
      return saidOf(
        await device.actOnVisit(
          projectId,
          { patientId, folderId, folderRepeat: '0' },
          { do: 'make', folderId, actualDate: intent.day },
        ),
        true,
        { actualDate: intent.day },
      )
    const casebook = await device.casebook(patientId, projectId)
    const shown = casebook.ok ? casebook.value.visits : []
    // Only a visit that a person made can be taken away.
    const fit = shown.filter(({ folderRepeat, row }) =>
      intent.how === 'remove' || intent.how === 'restore'
        ? folderRepeat !== '0' && (row?.removed === true) === (intent.how === 'restore')
        : row?.removed !== true,
    )
    const visit = fit[intent.visit % Math.max(1, fit.length)]
    if (visit === undefined) return null
    const key = { patientId, folderId: visit.folderId, folderRepeat: visit.folderRepeat }
    switch (intent.how) {
      case 'date':
        if (visit.row?.actualDate === intent.day) return null
        return saidOf(
          await device.actOnVisit(projectId, key, { do: 'say', input: { actualDate: intent.day } }),
          false,
          { actualDate: intent.day },
        )
      case 'skip':
        if (visit.row?.outcome === 'skipped') return null
        return saidOf(
          await device.actOnVisit(projectId, key, {
            do: 'say',
            input: { outcome: 'skipped', outcomeReason: intent.why },
          }),
          false,
          { outcome: 'skipped', outcomeReason: intent.why },
        )
      case 'remove':
        return saidOf(
          await device.actOnVisit(projectId, key, { do: 'remove', reason: { code: 'other', text: '建错了' } }),
          false,
          { removed: 'true' },
        )
      case 'restore':
        return saidOf(await device.actOnVisit(projectId, key, { do: 'restore' }), false, { removed: null })
    }
  }

  ask(work: AtWork, patientId: string, question: QuestionIntent): Promise<boolean> {
    return askQuery(work, this.#places, patientId, question)
  }

  answer(work: AtWork, intent: AnswerIntent): Promise<AnswerDone | null> {
    return answerQuery(work, this.#places, intent)
  }

  shownQueries(work: AtWork, patientId: string): Promise<readonly ShownQuery[] | null> {
    return showQueries(work, this.#places.projectId, patientId)
  }

  async rest({ device }: AtWork): Promise<boolean> {
    return (await device.flushJournal()).ok
  }

  save(): Promise<boolean> {
    return this.#page === null ? Promise.resolve(false) : this.#page.flush()
  }

  submit(): Promise<boolean> {
    return this.#page === null ? Promise.resolve(false) : this.#page.submit()
  }

  async leave(): Promise<boolean> {
    const page = this.#page
    if (page === null || !(await page.flush())) return false
    this.#page = null
    await page.close()
    return true
  }

  async refresh(): Promise<SeenPage | null> {
    const page = this.#page
    return page !== null && (await page.refresh()) ? page.seen : null
  }

  async repeat(work: AtWork, patientId: string, term: string): Promise<{ readonly repeat: string } | null> {
    const repeat = newId()
    const target = targetOf(this.#places, { patientId, page: 'event', repeat })
    const to = { value: term, missing: null }
    const place = { table: null, rid: null, code: 'term' }
    const body: EntryChange = {
      target,
      items: [{ ...place, to, base: EMPTY_ITEM, isShow: 1, reason: null }],
      rows: [],
      journal: [{ ...place, from: EMPTY_ITEM, to, at: this.#clock() }],
      seen: null,
    }
    return (await this.#queueEntry(work, target, { call: 'entry.insert', body })) ? { repeat } : null
  }

  async removeEntry(work: AtWork, page: PageOf): Promise<boolean> {
    const target = targetOf(this.#places, page)
    const view = await work.device.entry(this.#places.projectId, target)
    if (!view.ok || view.value.server === null || view.value.server.deleted) return false
    const body = { target, seenRev: view.value.server.rev, reason: { code: 'other' as const, text: '录错页面' } }
    return this.#queueEntry(work, target, { call: 'entry.delete', body })
  }

  /** Decides the nth of the open conflicts that the tablet shows. */
  async decide(work: AtWork, nth: number, choice: Choice, figure: number): Promise<Decided | null> {
    const { author, device, storage } = work
    const { scope, projectId } = this.#places
    if (author === null) return null
    const shown = await storage.run(async ({ cache }) => {
      const conflicts = (await ownRows(cache, { ...author, scope }, 'conflict')).filter(({ state }) => state === 'open')
      const conflict = conflicts.toSorted((a, b) => (a.id < b.id ? -1 : 1))[nth % Math.max(1, conflicts.length)]
      const entries = conflict === undefined ? [] : await ownRows(cache, { ...author, scope }, 'entry')
      return { conflict, entry: entries.find(({ id }) => id === conflict?.entryId) }
    })
    if (!shown.ok || shown.value.conflict === undefined || shown.value.entry === undefined) return null
    const { conflict, entry } = shown.value
    const { id: conflictId, table, rid, code, mine } = conflict
    const { patientId, folderId, folderRepeat, pageId, pageRepeat, parentEntryId } = entry
    const target: EntryTarget = { patientId, folderId, folderRepeat, pageId, pageRepeat, parentEntryId, pass: 1 }
    const view = await device.entry(projectId, target)
    // What one has decided oneself is not to be decided again, whether or not the server has heard of it.
    if (!view.ok || !view.value.conflicts.some(({ id }) => id === conflictId)) return null
    const seen = seenOf(view.value, conflict)
    if (seen === null) return null
    const other = code === DELETED ? mine : { value: figureFor(code, figure), missing: null }
    const to = { server: seen, mine, new: other }[choice]
    const said = choice === 'new' && code === DELETED ? 'mine' : choice
    const body = { target, conflictId, choice: said, seen, to, reason: { code: 'adjudication' as const, text: '' } }
    if (!(await this.#queueEntry(work, target, { call: 'conflict.resolve', body }))) return null
    return { conflictId, patientId, entryId: entry.id, table, rid, code, seen, to }
  }

  /** Queues an operation that no server takes. */
  async poison(work: AtWork, patientId: string): Promise<PageOf | null> {
    const page = { patientId, page: 'vitals', repeat: '0' } as const
    const target = targetOf(this.#places, page)
    const place = { table: null, rid: null, code: POISON }
    const to = { value: 1, missing: null }
    const body: EntryChange = {
      target,
      items: [{ ...place, to, base: EMPTY_ITEM, isShow: 1, reason: null }],
      rows: [],
      journal: [],
      seen: null,
    }
    return (await this.#queueEntry(work, target, { call: 'entry.submit', body })) ? page : null
  }

  /**
   * Takes what the server refused as unusable out of the way, with a reason, and what was built on that. Whatever else
   * was refused has to come through without a person. Gives whether there was any.
   */
  async setAsideRefused({ device, storage, author }: AtWork): Promise<boolean> {
    const outbox = await storage.run(({ work }) => work.outbox.toArray())
    const rows = outbox.ok ? outbox.value : []
    const opened = await Promise.all(
      rows.map(async (row) => ({ row, op: author === null ? null : await openOperation(author.ring, row) })),
    )
    const poisoned = new Set(opened.flatMap(({ row, op }) => (isPoison(op?.body) ? [row.entityId] : [])))
    const refused = rows.filter(({ state, error }) => state === 'rejected' && error?.code === 'invalid')
    const own = refused.filter((row) => row.author === author?.userId && poisoned.has(row.entityId))
    for (const { key } of own) await device.setAside(key, '模拟的坏记录')
    return own.length > 0
  }

  /** Says why, for all that waits for this person's reasons. Gives whether there was any. */
  async explain({ storage, author }: AtWork): Promise<boolean> {
    if (author === null) return false
    const rows = await storage.run(({ work }) => work.outbox.where('state').equals('reason').toArray())
    const own = (rows.ok ? rows.value : []).filter((row) => row.author === author.userId)
    for (const row of own) {
      const op = await openOperation(author.ring, row)
      const change = op !== null && isEntryChange(op) ? op.body : undefined
      const given = (row.unexplained ?? []).flatMap((place): readonly (readonly [string, GivenReason])[] => {
        const shown = change === undefined ? null : saidAt(change, place)
        return shown === null ? [] : [[reasonKey(place), { reason: { code: 'clarification', text: '' }, shown }]]
      })
      await giveReasons(storage, author, row.entityId, new Map(given))
    }
    return own.length > 0
  }

  /**
   * A page as the person would see it, without opening it: with what its rules say, unless another version's would run.
   */
  async shown({ device }: AtWork, page: PageOf): Promise<ShownPage | null> {
    const view = await device.entry(this.#places.projectId, targetOf(this.#places, page))
    if (!view.ok) return null
    const { server, versionId, data } = view.value
    return server?.versionId === versionId ? (shownData(view.value, this.#clock()) ?? data) : data
  }

  #queueEntry(work: AtWork, target: EntryTarget, said: CallWithBody): Promise<boolean> {
    return this.#queue(work, said, entryId(target), target.patientId)
  }

  /** Acts that have no screen yet go the way that screens will: through the outbox, in the author's name. */
  async #queue(
    { device, storage, author }: AtWork,
    said: CallWithBody,
    entityId: string,
    patientId: string,
    versionId?: string,
  ): Promise<boolean> {
    const { projectId, north, scope, pass } = this.#places
    const version = await device.version(projectId)
    if (author === null || !version.ok || !author.ring.has(scope)) return false
    const draft: PlannedOperation = {
      ...said,
      scope,
      projectId,
      centerId: north,
      crfVersionId: said.call.startsWith('patient.') ? null : (versionId ?? version.value.id),
      pass,
      entityId,
      patientId,
    }
    return (await enqueue(storage, author, draft)).ok
  }
}

/** A picture of so many bytes, like no other. */
function photograph(figure: number, bytes: number): Uint8Array<ArrayBuffer> {
  const random = new Random(figure)
  const content = png(640, 480, Math.max(bytes, 100))
  for (let at = 64; at < content.length; at += 1)
    content[at] = at < 600 || at > content.length - 600 ? random.whole(0, 255) : (at * figure) & 255
  return content
}

function saidOf(
  done: LocalWrite & { readonly visit?: VisitKey },
  made: boolean,
  fields: VisitDone['fields'],
): VisitDone | null {
  return done.ok && done.visit !== undefined ? { visitId: visitId(done.visit), made, fields } : null
}

/** What the item of a conflict holds on the screen; null where its row is not there. */
function seenOf({ data, server }: EntryView, { table, rid, code }: ConflictRow): Content | null {
  if (code !== DELETED) return contentAt(data, { table, rid, code })
  if (table === null) return deletion(server?.deleted ?? false)
  const row = rowsOf(data.values[table])?.find((candidate) => candidate['_rid'] === rid)
  return row === undefined ? null : deletion(stateOf(row).deleted)
}

/** A figure, or what the field takes for one. */
function figureFor(code: string, figure: number): JsonValue {
  if (code === 'smokes') return figure % 2 === 0 ? '0' : '1'
  if (code === 'signs') return [['a', 'b', 'c', 'd'][figure % 4] ?? 'a']
  return ['height', 'weight', 'pulse', 'packs', 'dose', 'given'].includes(code) ? 60 + figure / 100 : `决定${figure}`
}
