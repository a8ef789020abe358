import { use, useMemo } from 'react'
import { entryId } from '#core/derivedIds.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { filePath } from '#src/paths/screenPaths.ts'
import { DeviceContext } from '#src/data/hooks/useDevice.ts'
import type { FilePort } from '#src/form/filePort.ts'

import type { Autosave } from './autosave.ts'

/** What the upload fields of an open page need. The same object as long as the page is open. */
export function useFilePort(projectId: string, target: EntryTarget, autosave: Autosave): FilePort {
  const device = use(DeviceContext)
  if (device === null) throw new Error('a page is open without a session')
  const id = entryId(target)
  return useMemo(
    (): FilePort => ({
      take: (place, file) => device.takeFile(projectId, target, place, file),
      standings: async () => {
        const read = await device.fileStandings(projectId, id)
        return read.ok ? read.value : new Map()
      },
      watch: (changed) => device.watch(['files', 'rows/entry'], changed),
      thumb: (fileId) => device.fileThumb(projectId, fileId),
      address: (fileId) => filePath(projectId, target.patientId, fileId),
      onEdit: (edit) => autosave.edited(edit),
    }),
    // Every reading of the page makes a new target object; its id says whether it is the same.
    // oxlint-disable-next-line react/exhaustive-deps
    [device, projectId, id, autosave],
  )
}
