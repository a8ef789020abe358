import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { AuditLine } from '#core/api/calls/sync.ts'
import { itemContent } from '#core/sync/entryChange.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import { NO_REASON } from '#core/sync/reasons.ts'
import { useMembers } from '#src/data/hooks/projects.ts'
import type { UnsentTrailLine } from '#src/data/shapes/trailTypes.ts'
import type { Casebook } from '#src/data/shapes/types.ts'
import type { Language } from '#src/form/words.ts'

import { hasValues, isAutomatic } from './actions.ts'
import { versionOfLine } from './lineVersions.ts'
import type { TrailLine, TrailReader, TrailVersions } from './trailLine.ts'
import { makePlaceReader } from './trailPlace.ts'
import type { PlaceReader } from './trailPlace.ts'
import { noteOfMark, valueText } from './trailValue.ts'
import { TRAIL_NAMESPACES, makeTrailWords } from './trailWords.ts'
import type { Person, TrailWords } from './trailWords.ts'

/** Actions that changed nothing, because somebody else had made another change before. */
const COLLIDES: ReadonlySet<string> = new Set(['conflict.open', 'patient.conflict', 'visit.conflict'])

/** Turns rows of a patient's trail into lines, with the names of their pages, visits and people. */
export function useTrailReader(book: Casebook): TrailReader {
  const { t, i18n } = useTranslation(TRAIL_NAMESPACES)
  const language: Language = i18n.language === 'en' ? 'en' : 'zh'
  const members = useMembers(book.project.id)
  const people = members.state === 'ready' ? members.value : NOBODY
  return useMemo(
    () => makeTrailReader(book, makeTrailWords(language, t, i18n.getFixedT(language, 'form'), people)),
    [book, people, i18n, language, t],
  )
}

const NOBODY: readonly Person[] = []

function makeTrailReader(book: Casebook, words: TrailWords): TrailReader {
  const places = makePlaceReader(book, words)
  return {
    projectId: book.project.id,
    current: book.version,
    ofServer: (line, versions) => readServerLine(line, versions, places, words),
    ofDevice: (line, versions) => readDeviceLine(line, versions, places, words),
  }
}

/** Whether a value was entered where none was, so that there was nothing to change. */
function isEntered(action: string, before: AuditLine['oldValue'] | ItemContent): boolean {
  if (action !== 'item.update') return false
  if (before === null) return true
  const content = itemContent.safeParse(before)
  return content.success && content.data.value === null && content.data.missing === null
}

function readServerLine(line: AuditLine, versions: TrailVersions, places: PlaceReader, words: TrailWords): TrailLine {
  const { field, ...where } = places.readPlace({ ...line, version: versionOfLine(line) }, versions)
  const told = hasValues(line.action)
  const oldField = () => (line.former === undefined ? field : places.readFormerField(line.former, line.place, versions))
  return {
    ...where,
    id: line.id,
    what: isEntered(line.action, line.oldValue) ? words.entered : words.action(line.action),
    isAutomatic: isAutomatic(line.action),
    code: line.prop,
    pass: line.pass,
    from: told ? valueText(line.oldValue, line, oldField(), words) : null,
    into: told ? valueText(line.newValue, line, field, words) : null,
    isConflict: COLLIDES.has(line.action),
    isRedacted: line.redacted,
    who: line.userName === '' ? words.system : line.userName,
    role: line.role === null ? null : words.role(line.role),
    at: line.occurredAt,
    offsetMinutes: line.occurredOffsetMinutes,
    driftMs: line.clockDriftMs,
    receivedAt: line.receivedAt,
    why: words.reason(line.reasonCode),
    whyText: noteOfMark(line.action, line.newValue) ?? (line.reasonText === '' ? null : line.reasonText),
    lacksReason: line.reasonCode === NO_REASON,
    seq: line.seq,
  }
}

function readDeviceLine(
  line: UnsentTrailLine,
  versions: TrailVersions,
  places: PlaceReader,
  words: TrailWords,
): TrailLine {
  const at = { ...line, place: line.target, version: versionOfLine(line) }
  const { field, ...where } = places.readPlace(at, versions)
  const told = hasValues(line.action)
  return {
    ...where,
    id: line.id,
    what: isEntered(line.action, line.from) ? words.entered : words.action(line.action),
    isAutomatic: false,
    code: line.prop,
    pass: line.target?.pass ?? null,
    from: told ? valueText(line.from, line, field, words) : null,
    into: told ? valueText(line.to, line, field, words) : null,
    isConflict: false,
    isRedacted: false,
    who: line.userName,
    role: null,
    at: line.at,
    offsetMinutes: null,
    driftMs: line.driftMs,
    receivedAt: null,
    why: words.reason(line.reason?.code ?? null),
    whyText: line.reason === null || line.reason.text === '' ? null : line.reason.text,
    lacksReason: line.waits && line.reason === null && line.action !== 'entry.submit' && line.action !== 'row.move',
    seq: null,
  }
}
