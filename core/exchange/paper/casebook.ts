import { studyTime } from '#core/dataset/aboutColumns.ts'
import type {
  ClinicalPage,
  ClinicalQuery,
  ClinicalSubject,
  ClinicalTrailLine,
} from '#core/exchange/clinical/subject.ts'
import { filesOf } from '#core/files/inEntry.ts'
import { isImageType } from '#core/files/reference.ts'
import { pageNameIn, visitNameIn } from '#core/form/definition/inLanguage.ts'
import type { Language } from '#core/language.ts'

import type { PaperBlock, PaperDocument, PaperFact, PaperPart, PaperPicture } from './document.ts'
import type { Leaves } from './fields.ts'
import { fieldBlocks, retiredBlocks, unplacedBlocks } from './fields.ts'
import type { PaperStudy } from './study.ts'
import { queryBlocks, trailBlocks } from './threads.ts'
import type { Speech } from './valueWords.ts'
import { paperWords } from './wordsIn.ts'

/**
 * The casebook of one subject for paper: every page that was begun, by visits, with what was entered and who saved it;
 * where they are asked for, its pictures, its queries, and its trail. Whoever makes it has seen to rights and masks.
 */

/** Why a picture is not printed, or under which name its content comes. */
export type PictureFate = { readonly file: string } | { readonly why: 'type' | 'large' | 'absent' }

export interface CasebookOptions {
  readonly language: Language
  /** An instant. */
  readonly madeAt: string
  readonly madeBy: string
  /** The place in the trail up to which all is in it. */
  readonly position: string
  readonly run: string
  readonly purpose: string
  readonly withQueries: boolean
  /** By the hash of the content; null where pictures are not asked for. */
  readonly pictures: ReadonlyMap<string, PictureFate> | null
  readonly leaves: (pageId: string, table: string | null, code: string) => boolean
}

interface Around extends Speech {
  readonly study: PaperStudy
  readonly subject: ClinicalSubject
  readonly options: CasebookOptions
  readonly queries: ReadonlyMap<string, readonly ClinicalQuery[]>
  readonly trail: ReadonlyMap<string, readonly ClinicalTrailLine[]>
  readonly repeats: ReadonlyMap<string, readonly string[]>
}

export function casebookDocument(study: PaperStudy, subject: ClinicalSubject, options: CasebookOptions): PaperDocument {
  const { language } = options
  const words = paperWords(language)
  const around: Around = {
    words,
    language,
    study,
    subject,
    options,
    queries: Map.groupBy(options.withQueries ? subject.queries : [], ({ place }) => keyOf(place)),
    trail: Map.groupBy(
      subject.trail.filter(({ place }) => place !== null),
      ({ place, pass }) => keyOf({ ...place, pass }),
    ),
    repeats: repeatsOf(subject),
  }
  const center = study.study.centers.find(({ id }) => id === subject.centerId)
  const versions = [...new Set(subject.pages.flatMap(({ versionId }) => study.versionNo(versionId) ?? []))]
  const madeAt = studyTime(options.madeAt) ?? ''
  return {
    language,
    title: words.casebook,
    subtitle: study.study.studyName,
    facts: [
      [words.subject, subject.key],
      [words.center, center === undefined ? '' : `${center.code} ${center.name}`],
      [
        words.versions,
        versions
          .toSorted((a, b) => a - b)
          .map(words.versionOf)
          .join(words.comma),
      ],
      [words.asOf, madeAt],
      [words.position, options.position],
      [words.madeBy, options.madeBy],
      [words.run, options.run],
      [words.purpose, options.purpose],
    ],
    notes: [words.identified, words.leftOut],
    contents: words.contents,
    head: [study.study.studyName, `${words.subject}${words.colon}${subject.key}`],
    foot: words.made(madeAt, options.madeBy),
    parts: [...visitsOf(around).flatMap((visit) => visitParts(visit, around)), ...otherQueries(around)],
  }
}

interface Visit {
  readonly folderId: string
  readonly folderRepeat: string
}

function repeatsOf({ pages, visits }: ClinicalSubject): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>()
  for (const { folderId, folderRepeat } of [...pages, ...visits]) {
    const repeats = found.get(folderId) ?? new Set<string>()
    found.set(folderId, repeats.add(folderRepeat))
  }
  return new Map([...found].map(([folderId, repeats]) => [folderId, [...repeats].toSorted()]))
}

/** Visits with a page, and those of which somebody said something. */
function visitsOf({ study, repeats }: Around): readonly Visit[] {
  const order = [...new Set([...study.folderIds(), ...repeats.keys()])]
  return order.flatMap((folderId) => (repeats.get(folderId) ?? []).map((folderRepeat) => ({ folderId, folderRepeat })))
}

function visitParts(visit: Visit, around: Around): readonly PaperPart[] {
  const { subject, study, language, words } = around
  const pages = subject.pages.filter((page) => isIn(visit, page))
  const said = subject.visits.find((one) => isIn(visit, one))
  const folder = study.folderOf(visit.folderId)
  const repeats = around.repeats.get(visit.folderId) ?? []
  const name = folder === null ? visit.folderId : visitNameIn(language, folder)
  const facts: PaperFact[] = []
  if (said?.actualDate !== undefined && said.actualDate !== null) facts.push([words.visitDate, said.actualDate])
  if (said?.outcome !== undefined && said.outcome !== null) facts.push([words.outcome, words.outcomes[said.outcome]])
  if (said?.outcomeReason !== undefined && said.outcomeReason !== null)
    facts.push([words.outcomeReason, said.outcomeReason])
  const blocks: PaperBlock[] = facts.length === 0 ? [] : [{ kind: 'facts', facts }]
  if (said?.removed === true) blocks.push({ kind: 'text', text: words.removedVisit, look: 'muted' })
  if (pages.length === 0 && blocks.length === 0) return []
  return [
    {
      level: 1,
      title: repeats.length > 1 ? words.repeat(name, repeats.indexOf(visit.folderRepeat) + 1) : name,
      onNewSheet: true,
      blocks,
    },
    ...pages.map((page) => pagePart(page, pages, around)),
  ]
}

function isIn({ folderId, folderRepeat }: Visit, other: Visit): boolean {
  return other.folderId === folderId && other.folderRepeat === folderRepeat
}

function pagePart(page: ClinicalPage, ofVisit: readonly ClinicalPage[], around: Around): PaperPart {
  const { study, language, words, options } = around
  const definition = study.pageOf(page.versionId, page.folderId, page.pageId)
  const model = definition?.model ?? null
  const leaves: Leaves = (table, code) => options.leaves(page.pageId, table, code)
  const ofPage = { ...around, page, definition }
  return {
    level: 2,
    title: titleOf(page, ofVisit, definition === null ? page.pageId : pageNameIn(language, definition.row), around),
    onNewSheet: false,
    blocks: [
      { kind: 'facts', facts: pageFacts(page, around) },
      ...(page.deleted ? [{ kind: 'text', text: words.deletedPage, look: 'muted' } as const] : []),
      ...(model === null ? [{ kind: 'text', text: words.noDefinition, look: 'muted' } as const] : []),
      ...(model === null ? [] : fieldBlocks(page, model, leaves, around)),
      ...unplacedBlocks(page, model, around),
      ...retiredBlocks(page, around),
      ...pictureBlocks(page, around),
      ...queryBlocks(around.queries.get(keyOf(page)) ?? [], ofPage),
      ...trailBlocks(around.trail.get(keyOf(page)) ?? [], ofPage),
    ],
  }
}

function titleOf(
  page: ClinicalPage,
  ofVisit: readonly ClinicalPage[],
  name: string,
  { words }: Pick<Around, 'words'>,
): string {
  const repeats = [
    ...new Set(
      ofVisit
        .filter(({ pageId }) => pageId === page.pageId)
        .map((one) => `${one.pageRepeat} ${one.parentEntryId ?? ''}`),
    ),
  ]
  const at = repeats.indexOf(`${page.pageRepeat} ${page.parentEntryId ?? ''}`) + 1
  const numbered = repeats.length > 1 ? words.repeat(name, at) : name
  return page.pass === 2 ? words.second(numbered) : numbered
}

function pageFacts(page: ClinicalPage, { study, words }: Around): readonly PaperFact[] {
  const version = study.versionNo(page.versionId)
  const who = study.nameOf(page.updatedBy) ?? words.system
  return [
    [words.status, words.statuses[page.status]],
    [words.version, version === null ? '' : words.versionOf(version)],
    [words.savedBy, `${who} ${studyTime(page.updatedAt) ?? ''}`],
    ...(page.parentEntryId === null ? [] : [[words.attached, ''] as const]),
  ]
}

function pictureBlocks(page: ClinicalPage, { options, words }: Around): readonly PaperBlock[] {
  const { pictures: fates } = options
  if (fates === null) return []
  const unseen = new Set(page.hidden)
  const pictures = filesOf(page).flatMap(({ table, rid, code, reference }): readonly PaperPicture[] => {
    const isHidden = unseen.has(table ?? code) || unseen.has(`${table ?? ''}.${rid ?? ''}.${code}`)
    if (isHidden || !isImageType(reference.type)) return []
    const fate = fates.get(reference.hash) ?? { why: 'absent' }
    return 'file' in fate
      ? [{ file: fate.file, caption: reference.name }]
      : [{ file: null, caption: `${reference.name} — ${words.pictureNot[fate.why]}` }]
  })
  return pictures.length === 0
    ? []
    : [
        { kind: 'heading', text: words.pictures },
        { kind: 'pictures', pictures },
      ]
}

/** About what is printed nowhere: the subject, a visit, a page that nobody has begun. */
function otherQueries(around: Around): readonly PaperPart[] {
  const { words, subject } = around
  const printed = new Set(subject.pages.map(keyOf))
  const queries = [...around.queries].flatMap(([key, of]) => (printed.has(key) ? [] : of))
  if (queries.length === 0) return []
  return [
    {
      level: 1,
      title: words.otherQueries,
      onNewSheet: true,
      blocks: [
        { kind: 'text', text: words.noOtherQueries, look: 'muted' },
        ...queryBlocks(queries, { ...around, page: null, definition: null }),
      ],
    },
  ]
}

/** A page of a visit and pass. Where pages were made on others, lines of the trail do not say on which. */
function keyOf({
  folderId = null,
  folderRepeat = null,
  pageId = null,
  pageRepeat = null,
  pass,
}: {
  readonly folderId?: string | null
  readonly folderRepeat?: string | null
  readonly pageId?: string | null
  readonly pageRepeat?: string | null
  readonly pass: number | null
}): string {
  return [folderId, folderRepeat, pageId, pageRepeat, pass].join(' ')
}
