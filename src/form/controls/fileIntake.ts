import {
  ACCEPTED_ENDINGS,
  HEAD_BYTES,
  IMAGE_ENDINGS,
  MAX_FILE_BYTES,
  cleanFileName,
  inspectFile,
} from '#core/files/inspect.ts'
import type { FileProblem } from '#core/files/inspect.ts'
import { isImageType } from '#core/files/reference.ts'
import type { FileRule } from '#core/form/definition/page.ts'
import type { TakenFile } from '#src/data/shapes/fileTypes.ts'

import { redactPicture, thumbOf } from './picture.ts'
import type { Region } from './picture.ts'

/** A chosen file, checked before it is taken. */
export interface LookedAt {
  readonly name: string
  readonly type: string
  readonly content: Blob
}

export type Look =
  | { readonly ok: true; readonly file: LookedAt }
  | { readonly ok: false; readonly name: string; readonly problem: FileProblem; readonly maxBytes: number }

/** Checks what a file is, in the same way as the server. A file that the server would refuse is not taken at all. */
export async function lookAt(file: File, rule: FileRule | null): Promise<Look> {
  const name = cleanFileName(file.name)
  const maxBytes = Math.min(rule?.maxBytes ?? MAX_FILE_BYTES, MAX_FILE_BYTES)
  if (file.size > maxBytes) return { ok: false, name, problem: 'too_big', maxBytes }
  const inspected = inspectFile(name, new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()))
  if (!inspected.ok) return { ok: false, name, problem: inspected.problem, maxBytes }
  return { ok: true, file: { name, type: inspected.type, content: file } }
}

/** The file as it is stored: with black in place of the regions that a person has drawn. Null where that fails. */
export async function madeReady(
  { name, type, content }: LookedAt,
  regions: readonly Region[],
): Promise<TakenFile | null> {
  if (regions.length === 0) return { name, type, content, thumb: isImageType(type) ? await thumbOf(content) : null }
  const covered = await redactPicture(content, regions)
  if (covered === null) return null
  return {
    name: `${name.replace(/\.[^.]+$/, '')}.jpg`,
    type: 'image/jpeg',
    content: covered,
    thumb: await thumbOf(covered),
  }
}

/** For the `accept` of the file chooser. */
export function acceptOf(rule: FileRule | null): string {
  return rule?.accept ?? ACCEPTED_ENDINGS.join(',')
}

/** Whether the field takes photos. */
export function takesPhotos(rule: FileRule | null): boolean {
  const accept = rule?.accept?.toLowerCase() ?? null
  return accept === null || accept.includes('image') || IMAGE_ENDINGS.some((ending) => accept.includes(ending))
}
