import type { ApiError } from '#core/api/errors.ts'
import type { FilePlace } from '#core/files/inEntry.ts'
import type { FileReference } from '#core/files/reference.ts'
import type { Result } from '#core/result.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import type { AboutQuery, FileStanding, PatientFiles, ProjectImages, TakenFile } from '#src/data/shapes/fileTypes.ts'
import type { Reading } from '#src/data/shapes/reading.ts'
import type { LocalWrite } from '#src/data/shapes/types.ts'
import {
  discardFile,
  discardQueryFile,
  readFileContent,
  readFileStandings,
  readFileThumb,
  readPatientFiles,
  readProjectImages,
  readQueryFileStandings,
  takeFile,
  takeQueryFile,
} from '#src/data/writes/files.ts'
import type { Opener } from '#src/data/writes/openHere.ts'
import type { DraftPlaces } from '#src/data/writes/writes.ts'

/** Files in fields, and their contents. */
export interface FileData {
  /** How far the files of an entry are, by file id. Nobody can say that of a file that is missing here. */
  fileStandings(projectId: string, entryId: string): Reading<ReadonlyMap<string, FileStanding>>
  patientFiles(projectId: string, patientId: string): Reading<PatientFiles>
  /** One list page of a project's images, the latest first. It always needs the server. */
  projectImages(projectId: string, current: number): Reading<ProjectImages>
  /**
   * Takes in a file for a field. The file is sealed on the disk when this resolves; the field's value is set after
   * that.
   */
  takeFile(
    projectId: string,
    target: EntryTarget,
    place: FilePlace,
    file: TakenFile,
  ): Promise<Result<FileReference, ApiError>>
  /** Takes in a file for what somebody is about to say in a query; sealed on the disk when this resolves. */
  takeQueryFile(projectId: string, about: AboutQuery, file: TakenFile): Promise<Result<FileReference, ApiError>>
  /** How far the files of a query are that are on this device, by file id. */
  queryFileStandings(queryId: string): Reading<ReadonlyMap<string, FileStanding>>
  /** Removes a file that was chosen for a query and that nothing was said with. */
  discardQueryFile(fileId: string): Promise<LocalWrite>
  /** The content of a file, from this device or from the server. */
  fileContent(projectId: string, fileId: string): Promise<Result<Blob, ApiError>>
  /** The small picture of a file; null without one. */
  fileThumb(projectId: string, fileId: string): Promise<Blob | null>
  /** Discards a file that no field names, or that the server does not take. */
  discardFile(fileId: string): Promise<LocalWrite>
}

export function makeFileData(context: DataContext, places: DraftPlaces, opener: Opener): FileData {
  return {
    fileStandings: (projectId, entry) => readFileStandings(context, projectId, entry),
    patientFiles: (projectId, patientId) => readPatientFiles(context, projectId, patientId),
    projectImages: (projectId, current) => readProjectImages(context, projectId, current),
    takeFile: (projectId, target, place, file) => takeFile(context, places, projectId, target, place, file),
    takeQueryFile: (projectId, about, file) => takeQueryFile(context, places, opener, projectId, about, file),
    queryFileStandings: (queryId) => readQueryFileStandings(context, queryId),
    discardQueryFile: (fileId) => discardQueryFile(context, fileId),
    fileContent: (projectId, fileId) => readFileContent(context, projectId, fileId),
    fileThumb: (projectId, fileId) => readFileThumb(context, projectId, fileId),
    discardFile: (fileId) => discardFile(context, fileId),
  }
}
