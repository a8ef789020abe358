import * as z from 'zod/mini'
import { id } from '#core/wire/shapes.ts'
import { englishName } from './englishName.ts'

/** How a line of a list names what it is about. */

/** A patient; the mark stands for the number as long as there is none. */
export const patientNamed = {
  patientNo: z.nullable(z.string()),
  patientMark: z.string(),
  initials: z.nullable(z.string()),
}

/** A page of a casebook, in its visit. */
export const pageNamed = {
  folderId: id,
  folderRepeat: z.string(),
  folderName: z.string(),
  folderNameEn: englishName,
  pageId: id,
  pageRepeat: z.string(),
  pageName: z.string(),
  pageNameEn: englishName,
}
