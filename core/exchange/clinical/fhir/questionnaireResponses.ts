import { definitionOf } from '#core/exchange/ofVersion.ts'
import type { Field, PageModel } from '#core/form/definition/page.ts'
import { holdsData, isTable, readPage } from '#core/form/definition/page.ts'
import type { JsonValue } from '#core/json.ts'
import { isEmptyValue } from '#core/sync/emptyValue.ts'
import type { MissingReason } from '#core/sync/entryChange.ts'
import { SUBMITTED } from '#core/sync/submitted.ts'

import { fhirAnswers } from './fhirAnswer.ts'
import type { FhirAnswer } from './fhirAnswer.ts'
import { rowsNow } from '#core/exchange/clinical/rowsNow.ts'
import type {
  ClinicalNoteKind,
  ClinicalPage,
  ClinicalStudy,
  ClinicalSubject,
  ClinicalVersion,
  TellNote,
} from '#core/exchange/clinical/subject.ts'

/**
 * Writes each page of a subject as a QuestionnaireResponse of HL7 FHIR R4, one resource a line (NDJSON). The
 * questionnaire is named by a canonical address of ours, with the version of the definition; `linkId` is made of our
 * codes: `page/field`, and `page/table/field` in a row. Keys of every resource are in the order of FHIR's own list.
 */

interface FhirExtension {
  readonly url: string
  readonly valueCode?: string
  readonly valueString?: string
}

interface FhirItem {
  readonly extension?: readonly FhirExtension[]
  readonly linkId: string
  readonly text?: string
  readonly answer?: readonly FhirAnswer[]
  readonly item?: readonly FhirItem[]
}

/** FHIR's own extension for values that are not there. */
const ABSENT = 'http://hl7.org/fhir/StructureDefinition/data-absent-reason'
const ABSENT_CODES: Readonly<Record<MissingReason['m'], string>> = {
  ND: 'not-performed',
  UNK: 'unknown',
  NA: 'not-applicable',
}

/**
 * The lines of a file. Pages under a version that the study does not name, and the second pass of double entry, have
 * none; they are told of.
 *
 * @param base the address under which our names stand, without a slash at its end: `https://edc.example.org/fhir`
 */
export async function* writeQuestionnaireResponses(
  base: string,
  study: ClinicalStudy,
  subjects: AsyncIterable<ClinicalSubject>,
  tell: TellNote,
): AsyncIterable<string> {
  const versions = new Map(study.versions.map((version) => [version.id, new ResponseVersion(base, version)]))
  const names = new Map(study.users.map(({ id, name }) => [id, name]))
  for await (const subject of subjects)
    for (const page of subject.pages) {
      if (page.deleted) continue
      const note = (what: ClinicalNoteKind) =>
        tell({ subject: subject.key, folder: '', page: '', table: null, field: null, what })
      const version = versions.get(page.versionId)
      if (version === undefined) note('no-version')
      else if (page.pass === 2) note('no-column')
      else {
        const resource = version.response(subject, page, names.get(page.updatedBy) ?? null, tell)
        if (resource === null) note('no-page')
        else yield `${JSON.stringify(resource)}\n`
      }
    }
}

class ResponseVersion {
  readonly #base: string
  readonly #version: ClinicalVersion
  readonly #models: ReadonlyMap<string, PageModel>

  constructor(base: string, version: ClinicalVersion) {
    this.#base = base
    this.#version = version
    const { definition } = definitionOf(version)
    this.#models = new Map(
      definition.pages.flatMap(({ pageCode, option }) => {
        const read = readPage(option)
        return read.ok ? [[pageCode, read.page] as const] : []
      }),
    )
  }

  /** The resource of a page; null where the version does not have the page in that visit. */
  response(subject: ClinicalSubject, page: ClinicalPage, author: string | null, tell: TellNote): object | null {
    const folder = this.#version.folders.find(({ id }) => id === page.folderId)
    const row = this.#version.folders.flatMap(({ pages }) => pages).find(({ id }) => id === page.pageId)
    const model = row === undefined ? undefined : this.#models.get(row.pageCode)
    if (folder === undefined || row === undefined || model === undefined) return null
    const tellField = (what: ClinicalNoteKind, table: string | null, field: string) =>
      tell({ subject: subject.key, folder: folder.folderCode, page: row.pageCode, table, field, what })
    const visit = page.folderRepeat === '0' ? folder.folderCode : `${folder.folderCode}/${page.folderRepeat}`
    const items = model.fields.flatMap((field) => this.#items(row.pageCode, page, field, tellField))
    for (const code of Object.keys(page.values)) if (!model.byCode.has(code)) tellField('no-field', null, code)
    return {
      resourceType: 'QuestionnaireResponse',
      id: page.id,
      questionnaire: `${this.#base}/Questionnaire/${row.pageCode}|${this.#version.versionNo}`,
      status: page.status === SUBMITTED ? 'completed' : 'in-progress',
      subject: { type: 'Patient', identifier: this.#identifier('subject', subject.key) },
      encounter: { identifier: this.#identifier('visit', visit), ...displayOf(folder.folderName) },
      authored: page.updatedAt,
      author: { identifier: this.#identifier('user', page.updatedBy), ...displayOf(author) },
      ...(items.length === 0 ? {} : { item: items }),
    }
  }

  #items(
    pageCode: string,
    page: ClinicalPage,
    field: Field,
    tell: (what: ClinicalNoteKind, table: string | null, field: string) => void,
  ): readonly FhirItem[] {
    if (!holdsData(field) || page.hidden.includes(field.code)) return []
    const linkId = `${pageCode}/${field.code}`
    const missing = page.missing[field.code]
    const value = page.values[field.code]
    if (!isTable(field)) return this.#item(linkId, field, value, missing, (what) => tell(what, null, field.code))
    const rows = rowsNow(page, field.code)
    if (rows.length === 0)
      return missing === undefined ? [] : this.#item(linkId, field, undefined, missing, () => undefined)
    // A group that repeats is said again for every row.
    return rows
      .map(({ rid, cells }) => ({
        linkId,
        ...textOf(field.label),
        item: field.children
          .filter(holdsData)
          .flatMap((child) =>
            this.#item(
              `${linkId}/${child.code}`,
              child,
              cells[child.code],
              page.missing[`${rid}.${child.code}`],
              (what) => tell(what, field.code, child.code),
            ),
          ),
      }))
      .map(({ item, ...group }) => (item.length === 0 ? group : { ...group, item }))
  }

  #item(
    linkId: string,
    field: Field,
    value: JsonValue | undefined,
    missing: MissingReason | undefined,
    tell: (what: ClinicalNoteKind) => void,
  ): readonly FhirItem[] {
    const isEmpty = value === undefined || isEmptyValue(value)
    if (isEmpty && missing === undefined) return []
    const { answers, problem } = isEmpty
      ? { answers: [], problem: null }
      : fhirAnswers(field, value, `${this.#base}/CodeSystem/${linkId.replaceAll('/', '-')}`)
    if (problem !== null) tell(problem)
    const extension = missing === undefined ? [] : this.#absent(missing)
    return [
      {
        ...(extension.length === 0 ? {} : { extension }),
        linkId,
        ...textOf(field.label),
        ...(answers.length === 0 ? {} : { answer: answers }),
      },
    ]
  }

  #absent({ m, reason }: MissingReason): readonly FhirExtension[] {
    const words =
      reason.trim() === '' ? [] : [{ url: `${this.#base}/StructureDefinition/missing-reason`, valueString: reason }]
    return [{ url: ABSENT, valueCode: ABSENT_CODES[m] }, ...words]
  }

  #identifier(kind: 'subject' | 'visit' | 'user', value: string) {
    return { system: `${this.#base}/${kind}`, value }
  }
}

/** FHIR has no empty texts. */
function textOf(text: string): { readonly text?: string } {
  return text.trim() === '' ? {} : { text }
}

function displayOf(name: string | null): { readonly display?: string } {
  return name === null || name.trim() === '' ? {} : { display: name }
}
