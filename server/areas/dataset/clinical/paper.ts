import { Buffer } from 'node:buffer'
import type { CasebookOptions, PictureFate } from '#core/exchange/paper/casebook.ts'
import { casebookDocument } from '#core/exchange/paper/casebook.ts'
import type { PaperDocument } from '#core/exchange/paper/document.ts'
import { PaperStudy } from '#core/exchange/paper/study.ts'
import { volumesOf } from '#core/exchange/paper/volumes.ts'
import type { ClinicalPage, ClinicalStudy, ClinicalSubject, TellNote } from '#core/exchange/clinical/subject.ts'
import { filesOf } from '#core/files/inEntry.ts'
import { HEAD_BYTES, inspectFile } from '#core/files/inspect.ts'
import { isImageType } from '#core/files/reference.ts'
import type { FileReference } from '#core/files/reference.ts'
import type { Language } from '#core/language.ts'
import { PrintFailure } from '#server/print/printFailure.ts'
import type { Printer } from '#server/print/printer.ts'
import type { Picture } from '#server/print/typesetter.ts'
import type { FileStore } from '#server/storage/fileStore.ts'
import { ContentDamaged, openContent } from '#server/storage/sealedFiles.ts'

import type { Casebooks } from './casebooks.ts'

/** Casebooks as PDF, subject after subject: one document and its pictures are in memory. */

/** What printing needs: who prints, and where contents of files are. */
export interface Press {
  readonly printer: Printer
  readonly files: FileStore
  readonly root: Uint8Array
}

/** What was asked for, and by whom. */
export interface PaperWishes extends Pick<CasebookOptions, 'madeBy' | 'position' | 'run' | 'purpose'> {
  readonly press: Press
  readonly queries: boolean
  readonly photographs: boolean
}

/** Bytes of pictures in one casebook. */
const MOST_PICTURE_BYTES = 100 * 1024 * 1024
/** Pixels of a picture that has to be decoded: four bytes each. A JPEG goes in as it is. */
const MOST_DECODED_PIXELS = 30_000_000

interface Casebook {
  readonly study: ClinicalStudy
  readonly subjects: AsyncIterable<ClinicalSubject>
  readonly casebooks: Casebooks
  readonly language: Language
  readonly tell: TellNote
}

/** @throws PrintFailure */
export async function* printCasebooks(
  { study, subjects, casebooks, language, tell }: Casebook,
  { press, queries, photographs, madeBy, position, run, purpose }: PaperWishes,
): AsyncGenerator<readonly [name: string, pdf: Uint8Array]> {
  const paper = new PaperStudy(study)
  const names = new FileNames()
  const options: Omit<CasebookOptions, 'pictures'> = {
    language,
    madeBy,
    position,
    run,
    purpose,
    madeAt: study.createdAt,
    withQueries: queries,
    leaves: (pageId, table, code) => casebooks.leaves(pageId, table, code),
  }
  for await (const subject of subjects) {
    const taken = photographs ? await takePictures(subject, casebooks.projectId, press) : null
    const print = (fates: CasebookOptions['pictures'], pictures: readonly Picture[]) =>
      printVolumes(press, casebookDocument(paper, subject, { ...options, pictures: fates }), {
        pictures,
        madeAt: study.createdAt,
      })
    let fates = taken?.fates ?? null
    let volumes: readonly Uint8Array[]
    try {
      volumes = await print(fates, taken?.pictures ?? [])
    } catch (error) {
      // Without its pictures it may well be printed: each of them says that it is missing.
      if (!(error instanceof PrintFailure) || error.problem !== 'too_large' || taken === null) throw error
      if (taken.pictures.length === 0) throw error
      fates = new Map([...taken.fates.keys()].map((hash) => [hash, { why: 'large' }]))
      volumes = await print(fates, [])
    }
    if (fates !== null) tellPictures(subject, fates, paper, tell)
    for (const [at, pdf] of volumes.entries())
      yield [names.nameOf(volumes.length === 1 ? subject.key : `${subject.key}-${String(at + 1)}`), pdf]
  }
}

/** A casebook, in several volumes where it is too large for one. */
async function printVolumes(
  { printer }: Press,
  casebook: PaperDocument,
  { pictures, madeAt }: { readonly pictures: readonly Picture[]; readonly madeAt: string },
): Promise<readonly Uint8Array[]> {
  const printed: Uint8Array[] = []
  for (const document of volumesOf(casebook)) {
    const named = new Set(picturesNamedIn(document))
    const own = pictures.filter(({ name }) => named.has(name))
    printed.push(await printer.print({ kind: 'document', document, pictures: own, madeAt }))
  }
  return printed
}

function picturesNamedIn({ parts }: PaperDocument): readonly string[] {
  return parts
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => (block.kind === 'pictures' ? block.pictures.flatMap(({ file }) => file ?? []) : []))
}

function picturesIn(page: ClinicalPage) {
  return filesOf(page).filter(({ reference }) => isImageType(reference.type))
}

/** Contents of the pictures that a casebook names, as long as there is room for them. */
async function takePictures(
  { pages }: ClinicalSubject,
  projectId: string,
  press: Press,
): Promise<{ readonly fates: ReadonlyMap<string, PictureFate>; readonly pictures: readonly Picture[] }> {
  const fates = new Map<string, PictureFate>()
  const pictures: Picture[] = []
  let room = MOST_PICTURE_BYTES
  for (const { reference } of pages.flatMap(picturesIn)) {
    if (fates.has(reference.hash)) continue
    const content = reference.size > room ? 'large' : await contentOf(reference, projectId, press)
    if (typeof content === 'string') {
      fates.set(reference.hash, { why: content })
      continue
    }
    room -= content.length
    const file = `${reference.hash}${content.subarray(0, 1)[0] === 0x89 ? '.png' : '.jpg'}`
    pictures.push({ name: file, content })
    fates.set(reference.hash, { file })
  }
  return { fates, pictures }
}

async function contentOf(
  { name, hash, size }: FileReference,
  projectId: string,
  { files, root }: Press,
): Promise<Buffer | 'type' | 'large' | 'absent'> {
  const pieces: Buffer[] = []
  try {
    const content = await openContent(files, root, { projectId, hash })
    if (content === null) return 'absent'
    let bytes = 0
    for await (const piece of content) {
      bytes += piece.length
      // More than it was said to be.
      if (bytes > size) return 'absent'
      pieces.push(piece)
    }
  } catch (error) {
    if (error instanceof ContentDamaged) return 'absent'
    throw error
  }
  const whole = Buffer.concat(pieces)
  const found = inspectFile(name, whole.subarray(0, HEAD_BYTES))
  if (!found.ok || found.size === null) return 'type'
  if (found.type === 'image/jpeg') return whole
  if (found.type !== 'image/png') return 'type'
  return found.size.width * found.size.height > MOST_DECODED_PIXELS ? 'large' : whole
}

function tellPictures(
  { key, pages }: ClinicalSubject,
  fates: ReadonlyMap<string, PictureFate>,
  paper: PaperStudy,
  tell: TellNote,
): void {
  for (const page of pages) {
    const definition = paper.pageOf(page.versionId, page.folderId, page.pageId)
    const place = {
      subject: key,
      folder: definition?.folder.folderCode ?? '',
      page: definition?.row.pageCode ?? '',
    }
    for (const { table, code, reference } of picturesIn(page))
      if ('why' in (fates.get(reference.hash) ?? {})) tell({ ...place, table, field: code, what: 'no-picture' })
  }
}

/** Names of files by subject numbers, each of them once whatever the file system. */
class FileNames {
  readonly #taken = new Set<string>()

  nameOf(key: string): string {
    const plain = key
      .replaceAll(/[^\p{L}\p{N}._-]/gu, '_')
      .replace(/^\.+/, '_')
      .slice(0, 100)
    let name = plain
    for (let no = 2; this.#taken.has(name.toLowerCase()); no += 1) name = `${plain}-${String(no)}`
    this.#taken.add(name.toLowerCase())
    return `${name}.pdf`
  }
}
