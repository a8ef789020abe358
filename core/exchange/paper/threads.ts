import { studyTime } from '#core/dataset/aboutColumns.ts'
import type { ClinicalPage, ClinicalQuery, ClinicalTrailLine } from '#core/exchange/clinical/subject.ts'
import { rowsNow } from '#core/exchange/clinical/rowsNow.ts'
import { itemContent } from '#core/sync/entryChange.ts'
import type { JsonValue } from '#core/json.ts'
import { WHOLE_ROW } from '#core/review/queryThread.ts'

import type { PaperBlock, PaperCell, PaperLine } from './document.ts'
import { cellOf, lineOf } from './document.ts'
import type { PaperPage, PaperStudy } from './study.ts'
import type { Speech } from './valueWords.ts'
import { contentText, labelOf } from './valueWords.ts'

/** What was asked about a page, and what became of it. */

interface Around extends Speech {
  readonly study: PaperStudy
  /** The page that it is about; null where there is none. */
  readonly page: ClinicalPage | null
  readonly definition: PaperPage | null
}

interface ItemPlace {
  readonly table: string | null
  readonly rid: string | null
  readonly code: string | null
}

export function queryBlocks(queries: readonly ClinicalQuery[], around: Around): readonly PaperBlock[] {
  if (queries.length === 0) return []
  const { words } = around
  return [
    { kind: 'heading', text: words.queries },
    {
      kind: 'table',
      widths: [4, 8],
      head: [...words.queryHead],
      rows: queries.map((query) => [
        aboutCell(query, around),
        query.thread.map((turn) => turnLines(turn, around)).flat(),
      ]),
    },
  ]
}

function aboutCell(query: ClinicalQuery, around: Around): PaperCell {
  const { words } = around
  return [
    lineOf(words.query(query.no), 'strong'),
    lineOf(placeText(query.place, around) ?? words.wholePage),
    lineOf(words.queryStates[query.state], 'muted'),
  ]
}

function turnLines(turn: ClinicalQuery['thread'][number], { words }: Around): readonly PaperLine[] {
  const who = turn.byName === '' ? words.system : turn.byName
  const said = [turn.category === null ? '' : (words.answers[turn.category] ?? turn.category), turn.text ?? '']
  const to = turn.act === 'assign' ? (turn.assigneeName ?? '') : ''
  const files = (turn.files ?? []).map(({ name }) => name)
  const all = [...said, to, ...files].filter((part) => part !== '')
  return [
    lineOf(`${words.acts[turn.act]} · ${who} · ${studyTime(turn.receivedAt) ?? ''}`, 'muted'),
    ...(all.length === 0 ? [] : [lineOf(all.join(words.comma))]),
  ]
}

/** A field, with its row and table; null for a page as a whole. */
function placeText(
  { table, rid, code }: ItemPlace,
  { study, page, definition, words, language }: Around,
): string | null {
  if (code === null && table === null) return null
  const names: string[] = []
  if (table !== null) {
    const of = study.fieldOf(definition, null, table)
    names.push(of === null ? table : labelOf(of, language))
    const at = page === null ? -1 : rowsNow(page, table).findIndex((row) => row.rid === rid)
    if (rid !== null) names.push(at < 0 ? words.deletedRow : words.row(at + 1))
  }
  if (code !== null && code !== WHOLE_ROW && !code.startsWith('_')) {
    const field = study.fieldOf(definition, table, code)
    names.push(field === null ? code : labelOf(field, language))
  }
  return names.join(' · ')
}

/** Lines of the trail about a page, in the order in which they were received. */
export function trailBlocks(lines: readonly ClinicalTrailLine[], around: Around): readonly PaperBlock[] {
  if (lines.length === 0) return []
  const { words } = around
  return [
    { kind: 'heading', text: words.trail },
    {
      kind: 'table',
      widths: [5, 3, 6, 7, 4],
      head: [...words.trailHead],
      rows: lines.map((line) => trailRow(line, around)),
    },
  ]
}

function trailRow(line: ClinicalTrailLine, around: Around): readonly PaperCell[] {
  const { study, words } = around
  const { place } = line
  const version = line.fieldVersionId ?? line.versionId
  const definition = place === null || version === null ? null : study.pageOf(version, place.folderId, place.pageId)
  const of = { ...around, definition: definition ?? around.definition }
  const where = placeText({ table: line.table, rid: line.rid, code: line.prop }, of) ?? words.wholePage
  const device = studyTime(line.occurredAt) ?? ''
  const received = studyTime(line.receivedAt) ?? ''
  const reason = line.reasonCode === null ? '' : (words.reasons[line.reasonCode] ?? line.reasonCode)
  const why = [reason, line.reasonText ?? ''].filter((part) => part !== '')
  return [
    [lineOf(received), ...(device === received ? [] : [lineOf(words.onDevice(device), 'muted')])],
    cellOf(study.nameOf(line.userId) ?? words.system),
    [lineOf(where), lineOf(words.actions[line.action] ?? line.action, 'muted')],
    changeCell(line, of),
    why.map((text) => lineOf(text)),
  ]
}

function changeCell(line: ClinicalTrailLine, around: Around): PaperCell {
  const { study, words } = around
  if (line.redacted) return cellOf(words.redacted, 'muted')
  const { former, place } = line
  const now = line.prop === null ? null : study.fieldOf(around.definition, line.table, line.prop)
  const old =
    former === undefined || place === null
      ? now
      : study.fieldOf(study.pageOf(former.versionId, place.folderId, place.pageId), former.table, former.prop)
  const [before, after] = [heldText(line.oldValue, old, around), heldText(line.newValue, now, around)]
  if (before === null && after === null) return []
  return cellOf(`${before ?? words.empty} → ${after ?? words.empty}`)
}

/** What an item held; null where a line is about none, or it held nothing. */
function heldText(value: JsonValue, field: ReturnType<PaperStudy['fieldOf']>, speech: Speech): string | null {
  const read = itemContent.safeParse(value)
  if (!read.success) return null
  const text = contentText(field, read.data.value, read.data.missing, speech)
  return text === '' ? null : text
}
