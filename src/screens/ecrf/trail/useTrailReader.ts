import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { AuditLine } from '#core/api/calls/sync.ts'
import { addressKey } from '#core/form/definition/address.ts'
import type { Field } from '#core/form/definition/page.ts'
import { visitOutcomes } from '#core/study/visits/schedule.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { NO_REASON, OFFERED_REASONS } from '#core/sync/reasons.ts'
import type { FolderRow, PageRow, VersionRow } from '#core/api/sync/rows.ts'
import { casebookAddress, entryAddress, patientVisitsAddress } from '#src/paths/addresses.ts'
import { useMembers } from '#src/data/hooks/projects.ts'
import type { Casebook } from '#src/data/shapes/types.ts'
import { fieldsOf } from '#src/form/fieldAt.ts'
import type { Language } from '#src/form/words.ts'
import { contentWords, labelOf } from '#src/form/words.ts'
import { namesIn } from '#src/ui/words/useNames.ts'
import type { English } from '#core/form/definition/inLanguage.ts'

import { actionKey, hasValues, isAutomatic } from './actions.ts'
import { versionOfLine } from './lineVersions.ts'
import type { TrailLine, TrailReader, TrailVersions } from './trailLine.ts'
import type { ValueWords } from './trailValue.ts'
import { valueText } from './trailValue.ts'

/** Reasons with words: what people are offered, what processes write, and that there is none. */
const REASONS = [...OFFERED_REASONS, 'adjudication', 'import', 'migration', NO_REASON] as const
/** Facts of patients and of visits, by the codes of the trail. */
const FACTS = ['no', 'initials', 'sex', 'enrolledOn', 'name', 'mobile', 'email', 'birthDate'] as const
const SAID = ['actualDate', 'outcome', 'outcomeReason', 'deviationReason', 'removed', 'applies', 'order'] as const
const ROLES = ['ADMIN', 'PI', 'PM', 'CRA', 'CRC', 'DBD'] as const
/** What did not change anything because somebody else had been there before. */
const COLLIDES: ReadonlySet<string> = new Set(['conflict.open', 'patient.conflict', 'visit.conflict'])
const STATES = ['init', 'process', 'other'] as const

/** Reads lines of a patient's trail in the words of the page, the visit and the people that they name. */
export function useTrailReader(book: Casebook): TrailReader {
  const { t, i18n } = useTranslation([
    'trail',
    'form',
    'patients',
    'visits',
    'reasons',
    'status',
    'projects',
    'conflict',
    'ecrf',
  ])
  const language: Language = i18n.language === 'en' ? 'en' : 'zh'
  const members = useMembers(book.project.id)
  const people = members.state === 'ready' ? members.value : NOBODY
  return useMemo(() => {
    const form = i18n.getFixedT(language, 'form')
    const read = new Map<VersionRow, ReturnType<typeof definitions>>()
    const pagesOf = (version: VersionRow) => {
      const pages = read.get(version) ?? definitions(version)
      read.set(version, pages)
      return pages
    }
    const called = namesIn(language)
    const visitNames = new Map(book.visits.map((visit) => [visit.id, called.visit(visit)]))
    const entries = new Map(book.folders.flatMap((folder) => folder.pages.map((page) => [page.entryId, page] as const)))
    const names = new Map(
      people.flatMap(
        ({ id, userId, realName }) =>
          [
            [id, realName],
            [userId, realName],
          ] as const,
      ),
    )
    const words: ValueWords = {
      content: (field, content) => contentWords(field, content, form),
      state: (prop, value) => {
        if (typeof value === 'boolean') return t(value ? 'conflict:deleted.yes' : 'conflict:deleted.no')
        if (prop === 'sex' && (value === 'F' || value === 'M')) return t(`patients:sex.${value}`)
        const outcome = prop === 'outcome' ? visitOutcomes.find((one) => one === value) : undefined
        if (outcome !== undefined) return t(`visits:status.${outcome}`)
        const state = prop === null ? STATES.find((one) => one === value) : undefined
        return state === undefined
          ? value
          : t(`status:${state === 'init' ? 'notStarted' : state === 'process' ? 'inProgress' : 'submitted'}`)
      },
      fact: (code) => {
        const fact = FACTS.find((one) => one === code)
        return fact === undefined ? null : t(`patients:fact.${fact}`)
      },
      person: (id) => names.get(id) ?? id,
      colon: form('colon'),
      and: t('patients:assign.and'),
    }
    const rowName = (table: string, rowNo: number | null) =>
      rowNo === null ? t('reasons:rowGone', { table }) : t('reasons:rowOf', { table, no: rowNo })
    const what = (action: string) => {
      const key = actionKey(action)
      return key === null ? t('trail:unknown') : t(`trail:action.${key}`)
    }
    const why = (code: string | null) => {
      const known = REASONS.find((one) => one === code)
      return known === undefined ? null : t(`reasons:code.${known}`)
    }

    /** What a line shares with any other: where it is, in words and as an address. */
    const placed = (line: Placed, versions: TrailVersions) => {
      const version = line.version === null ? book.version : versions.get(line.version)
      // By the version of now an old code would be whatever field has it since: without its own, a line goes by its
      // code.
      const page = line.place === null || version === undefined ? undefined : pagesOf(version).get(line.place)
      const pageNow = line.place === null ? undefined : pagesOf(book.version).get(line.place)
      const entry = entries.get(line.entryId ?? '')
      const at = entry ?? page ?? pageNow ?? null
      const pageName = at === null ? null : called.page(at)
      const table = line.table === null || page === undefined ? null : page.fieldAt({ table: null, code: line.table })
      const field =
        line.prop === null || page === undefined
          ? null
          : page.fieldAt({ table: line.rid === null ? null : line.table, code: line.prop })
      const tableName = table === null ? line.table : labelOf(table, language)
      const isOfRow = tableName !== null && line.rid !== null
      const ofRow = isOfRow ? [rowName(tableName, line.rowNo)] : []
      return {
        field,
        visit: line.place === null ? (visitNames.get(line.rid ?? '') ?? null) : at === null ? null : called.visit(at),
        page:
          entry?.repeatable === true && pageName !== null
            ? `${pageName} ${t('ecrf:casebook.repeat', { no: entry.repeatNo })}`
            : pageName,
        isInRow: isOfRow,
        place: [...ofRow, ...ofItem(line, field)].join(' · ') || null,
        to: addressOf(book, line, pageNow),
      }
    }
    /**
     * The field as the version before a release has it. Where that cannot be had, the old value is as it is stored: by
     * the release's own choices it could be another.
     */
    const formerField = (
      { versionId, table, prop: code }: NonNullable<AuditLine['former']>,
      place: PlaceInBook | null,
      versions: TrailVersions,
    ) => {
      const version = versions.get(versionId)
      return version === undefined || place === null
        ? null
        : (pagesOf(version).get(place)?.fieldAt({ table, code }) ?? null)
    }
    const ofItem = ({ prop, action }: Placed, field: Field | null): readonly string[] => {
      if (prop === null || prop.startsWith('_')) return []
      if (field !== null) return [labelOf(field, language)]
      const fact = action.startsWith('patient.') ? words.fact(prop) : null
      const said =
        action.startsWith('visit.') || action.startsWith('folder.') ? SAID.find((one) => one === prop) : undefined
      return [fact ?? (said === undefined ? prop : t(`visits:fact.${said}`))]
    }
    return {
      projectId: book.project.id,
      current: book.version,
      ofServer: (line, versions) => {
        const { field, ...where } = placed({ ...line, version: versionOfLine(line) }, versions)
        const told = hasValues(line.action)
        const role = ROLES.find((one) => one === line.role)
        return {
          ...where,
          id: line.id,
          what: what(line.action),
          isAutomatic: isAutomatic(line.action),
          code: line.prop,
          pass: line.pass,
          from: told
            ? valueText(
                line.oldValue,
                line,
                line.former === undefined ? field : formerField(line.former, line.place, versions),
                words,
              )
            : null,
          into: told ? valueText(line.newValue, line, field, words) : null,
          isConflict: COLLIDES.has(line.action),
          isRedacted: line.redacted,
          who: line.userName === '' ? t('trail:system') : line.userName,
          role: role === undefined ? line.role : t(`projects:role.${role}`),
          at: line.occurredAt,
          offsetMinutes: line.occurredOffsetMinutes,
          driftMs: line.clockDriftMs,
          receivedAt: line.receivedAt,
          why: why(line.reasonCode),
          whyText: line.reasonText === '' ? null : line.reasonText,
          lacksReason: line.reasonCode === NO_REASON,
          seq: line.seq,
        }
      },
      ofDevice: (line, versions): TrailLine => {
        const { field, ...where } = placed({ ...line, place: line.target, version: versionOfLine(line) }, versions)
        const told = hasValues(line.action)
        return {
          ...where,
          id: line.id,
          what: what(line.action),
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
          why: why(line.reason?.code ?? null),
          whyText: line.reason === null || line.reason.text === '' ? null : line.reason.text,
          lacksReason:
            line.waits && line.reason === null && line.action !== 'entry.submit' && line.action !== 'row.move',
          seq: null,
        }
      },
    }
  }, [book, people, i18n, language, t])
}

interface Placed extends Pick<AuditLine, 'action' | 'entryId' | 'table' | 'rid' | 'rowNo' | 'prop' | 'now'> {
  readonly place: PlaceInBook | null
  /** The version in whose words `table` and `prop` are; null where it is not known. */
  readonly version: string | null
}
type PlaceInBook = Pick<EntryTarget, 'folderId' | 'pageId'>

const GONE = { table: null, prop: null }
const NOBODY: readonly { readonly id: string; readonly userId: string; readonly realName: string }[] = []

interface Definition {
  readonly folderName: string
  readonly folderNameEn: English
  readonly pageName: string
  readonly pageNameEn: English
  readonly fieldAt: ReturnType<typeof fieldsOf>
}

/** Pages by their place, since one page may stand in several visits; each is read when it is first asked for. */
function definitions({ folders }: VersionRow): { readonly get: (place: PlaceInBook) => Definition | undefined } {
  const read = new Map<string, Definition>()
  const all = new Map(
    folders.flatMap((folder) =>
      folder.pages.map((page): readonly [string, { readonly folder: FolderRow; readonly page: PageRow }] => [
        `${folder.id} ${page.id}`,
        { folder, page },
      ]),
    ),
  )
  return {
    get: ({ folderId, pageId }) => {
      const key = `${folderId} ${pageId}`
      const known = read.get(key)
      const found = all.get(key)
      if (known !== undefined || found === undefined) return known
      const made = {
        folderName: found.folder.folderName,
        folderNameEn: found.folder.folderNameEn,
        pageName: found.page.pageName,
        pageNameEn: found.page.pageNameEn,
        fieldAt: fieldsOf(found.page.option),
      }
      read.set(key, made)
      return made
    },
  }
}

/** The exact field, its row, its page, the visits or the casebook. Of a field that is gone, its page. */
function addressOf(
  { project, patient }: Casebook,
  { action, entryId, rid, rowNo, now, ...then }: Placed,
  page: Definition | undefined,
): string | null {
  if (entryId === null)
    return action.startsWith('visit.') || action.startsWith('folder.')
      ? patientVisitsAddress(project.id, patient.id)
      : casebookAddress(project.id, patient.id)
  // Where its field is now. An older server, and what is on this device alone, say only what it was called.
  const { table, prop } = now === null ? GONE : (now ?? then)
  const tableField = table === null ? null : (page?.fieldAt({ table: null, code: table }) ?? null)
  const code = prop === null || prop.startsWith('_') ? (tableField?.children[0]?.prop ?? null) : prop
  // What became of a deleted row is looked up at its table.
  const field =
    table === null ? code : rid === null || rowNo === null || code === null ? table : addressKey({ table, rid, code })
  return entryAddress(project.id, patient.id, entryId, field)
}
