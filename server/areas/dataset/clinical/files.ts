import { Buffer } from 'node:buffer'
import { hasTrail } from '#core/dataset/formats.ts'
import type { CasebookFormatId } from '#core/dataset/formats.ts'
import { writeQuestionnaireResponses } from '#core/exchange/clinical/fhir/questionnaireResponses.ts'
import { ClinicalNotes } from '#core/exchange/clinical/noteRows.ts'
import type { ClinicalOdmOptions } from '#core/exchange/clinical/odm/writeClinicalOdm.ts'
import { writeClinicalOdm } from '#core/exchange/clinical/odm/writeClinicalOdm.ts'
import { writeRedcapRecords } from '#core/exchange/clinical/redcap/redcapRecords.ts'
import type { ClinicalStudy, ClinicalSubject, TellNote } from '#core/exchange/clinical/subject.ts'
import type { WrittenFile } from '#core/exchange/data/contract.ts'
import { csvText } from '#core/exchange/writeCsv.ts'
import type { Language } from '#core/language.ts'

import type { CasebookCounts, Casebooks } from './casebooks.ts'
import { printCasebooks } from './paper.ts'
import type { PaperWishes } from './paper.ts'

/** Casebooks as the files of each format, with notes of what a format could not say. */

/** What became of one format, once its files are taken. */
export interface WrittenCasebooks extends CasebookCounts {
  readonly format: CasebookFormatId
  /** Places that the format could not say. */
  readonly notes: number
}

/** Places of one format that are listed; of the others there is a count. */
const MOST_NOTES = 10_000

interface Input {
  readonly study: ClinicalStudy
  readonly projectId: string
  readonly subjects: AsyncIterable<ClinicalSubject>
  readonly tell: TellNote
  readonly casebooks: Casebooks
  readonly language: Language
  readonly paper: PaperWishes | null
}

type PaperFiles = AsyncGenerator<readonly [name: string, pieces: Pieces]>
type Pieces = AsyncIterable<string | Uint8Array>
type Files = Generator<readonly [name: string, pieces: Pieces]>

function odm(options: ClinicalOdmOptions) {
  return function* writeOdm({ study, subjects, tell }: Input): Files {
    yield ['data.xml', writeClinicalOdm(options, study, subjects, tell)]
  }
}

/** A file for each subject: one at a time is in memory, and each can be filed or handed on by itself. */
async function* pdf({ study, subjects, tell, casebooks, language, paper }: Input): PaperFiles {
  if (paper === null) throw new Error('casebooks for paper without a press')
  for await (const [name, content] of printCasebooks({ study, subjects, casebooks, language, tell }, paper))
    yield [name, inOnePiece(content)]
}

/** A project of REDCap has one dictionary: that of the newest version of the data. */
function* redcap({ study, subjects, tell }: Input): Files {
  const version = study.versions.at(-1)
  if (version === undefined) return
  const { dictionary, events, eventForms, lines } = writeRedcapRecords(version, subjects, tell)
  yield ['dictionary.csv', inOnePiece(dictionary)]
  yield ['events.csv', inOnePiece(events)]
  yield ['event-forms.csv', inOnePiece(eventForms)]
  yield ['data.csv', lines]
}

/** Names are of the project, wherever its server stands: the same in every file. */
function* fhir({ study, projectId, subjects, tell }: Input): Files {
  yield ['responses.ndjson', writeQuestionnaireResponses(`urn:zhenglu:${projectId}`, study, subjects, tell)]
}

const writers: Readonly<Record<CasebookFormatId, (input: Input) => Files | PaperFiles>> = {
  'odm-1.3': odm({ version: '1.3.2', fileType: 'Snapshot' }),
  'odm-2.0': odm({ version: '2.0', fileType: 'Snapshot' }),
  'odm-1.3-trail': odm({ version: '1.3.2', fileType: 'Transactional' }),
  'odm-2.0-trail': odm({ version: '2.0', fileType: 'Transactional' }),
  redcap,
  fhir,
  pdf,
  'pdf-trail': pdf,
}

interface CasebookWishes {
  readonly createdAt: string
  readonly language: Language
  /** Null where no format for paper is asked for. */
  readonly paper: PaperWishes | null
}

/**
 * The files of a format, in its folder. A file is taken to its end before the next is asked for.
 *
 * @param createdAt an instant of ISO 8601
 * @param written told of what was written, once all files are taken
 */
export async function* writeCasebooks(
  format: CasebookFormatId,
  casebooks: Casebooks,
  { createdAt, language, paper }: CasebookWishes,
  written: (what: WrittenCasebooks) => void,
): AsyncGenerator<WrittenFile> {
  const withTrail = hasTrail(format)
  const notes = new ClinicalNotes(MOST_NOTES)
  const counts: CasebookCounts = { subjects: 0, entries: 0, queries: 0, trailLines: 0 }
  const input: Input = {
    study: await casebooks.study(withTrail, createdAt),
    projectId: casebooks.projectId,
    subjects: casebooks.subjects(withTrail, counts),
    tell: (note) => notes.add(note),
    casebooks,
    language,
    paper,
  }
  for await (const [name, pieces] of writers[format](input))
    yield { name: `${format}/${name}`, chunks: encodePieces(pieces) }
  if (notes.count > 0)
    yield { name: `${format}/notes.csv`, chunks: encodePieces(inOnePiece(csvText(notes.rows(language)))) }
  written({ format, ...counts, notes: notes.count })
}

async function* encodePieces(pieces: Pieces): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield typeof piece === 'string' ? Buffer.from(piece, 'utf8') : piece
}

async function* inOnePiece<Piece>(piece: Piece): AsyncGenerator<Piece> {
  yield await Promise.resolve(piece)
}
