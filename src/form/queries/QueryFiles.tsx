import { use, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { QUERY_FILES_MOST } from '#core/files/reference.ts'
import type { FileReference } from '#core/files/reference.ts'
import type { TurnFile } from '#core/review/queryThread.ts'
import { err } from '#core/result.ts'
import { DeviceContext } from '#src/data/hooks/useDevice.ts'
import type { AboutQuery } from '#src/data/shapes/fileTypes.ts'
import { standingOfTurn } from '#src/data/shapes/turnStanding.ts'
import { filePath } from '#src/paths/screenPaths.ts'
import { ConfirmDialog } from '#src/ui/dialogs/ConfirmDialog.tsx'

import { FileItem } from '../controls/FileItem.tsx'
import list from '../controls/fileList.module.css'
import { IntakeOutcome } from '../controls/IntakeOutcome.tsx'
import { TakeButtons } from '../controls/TakeButtons.tsx'
import { useFileIntake } from '../controls/useIntake.ts'
import { useStandings } from '../controls/useStandings.ts'
import type { FilePort } from '../filePort.ts'
import form from '../form.module.css'

type QueryPort = Pick<FilePort, 'standings' | 'watch' | 'thumb' | 'address'>

/** What the files of a query need to be drawn; null without a session. */
function useQueryPort(projectId: string, { queryId, patientId }: AboutQuery): QueryPort | null {
  const device = use(DeviceContext)
  return useMemo(
    () =>
      device === null
        ? null
        : {
            standings: async () => {
              const read = await device.queryFileStandings(queryId)
              return read.ok ? read.value : new Map()
            },
            watch: (changed) => device.watch(['files'], changed),
            thumb: (fileId) => device.fileThumb(projectId, fileId),
            address: (fileId) => filePath(projectId, patientId, fileId),
          },
    [device, projectId, queryId, patientId],
  )
}

interface FilesToSendProps {
  readonly projectId: string
  readonly about: AboutQuery
  readonly files: readonly FileReference[]
  /** Changes what is there by then: a file is kept while its author goes on typing. */
  readonly onFiles: (change: (now: readonly FileReference[]) => readonly FileReference[]) => void
  /** Files are being kept, or no more: until then the words must not go without them. */
  readonly onTaking: (isTaking: boolean) => void
}

/** The files that somebody is about to bring with their words. They are on this device, covered where need be. */
export function FilesToSend({ projectId, about, files, onFiles, onTaking }: FilesToSendProps) {
  const { t } = useTranslation('form')
  const { t: q } = useTranslation('query')
  const device = use(DeviceContext)
  const port = useQueryPort(projectId, about)
  const standings = useStandings(port)
  const [removing, setRemoving] = useState<FileReference | null>(null)
  const intake = useFileIntake({
    rule: null,
    t,
    room: QUERY_FILES_MOST - files.length,
    take: async (file) => device?.takeQueryFile(projectId, about, file) ?? err({ code: 'vault_locked' }),
    add: (reference) => onFiles((now) => [...now, reference]),
  })
  const { busy, take } = intake
  if (device === null) return null
  const takeBeforeWords = async (chosen: FileList | null) => {
    onTaking(true)
    await take(chosen).finally(() => onTaking(false))
  }
  return (
    <fieldset className={list.field} aria-label={q('files.title')}>
      {files.length > 0 && (
        <ul className={list.list}>
          {files.map((file) => (
            <FileItem
              key={file.id}
              reference={file}
              words={file.name}
              standing={standings.get(file.id) ?? null}
              port={port}
              removeLabel={t('files.removeFor', { name: file.name })}
              onRemove={() => setRemoving(file)}
            />
          ))}
        </ul>
      )}
      {files.length < QUERY_FILES_MOST ? (
        <TakeButtons
          label={q('files.title')}
          rule={null}
          busy={busy}
          choose={q('files.attach')}
          t={t}
          onFiles={takeBeforeWords}
        />
      ) : (
        <p className={form.hint}>{t('files.full', { count: QUERY_FILES_MOST })}</p>
      )}
      <IntakeOutcome intake={intake} t={t} />
      <ConfirmDialog
        opened={removing !== null}
        danger
        title={t('files.removeTitle')}
        text={q('files.removeText', { name: removing?.name ?? '' })}
        submit={t('files.remove')}
        onClose={() => setRemoving(null)}
        onConfirm={() => {
          onFiles((now) => now.filter(({ id }) => id !== removing?.id))
          if (removing !== null) void device.discardQueryFile(removing.id)
          setRemoving(null)
        }}
      />
    </fieldset>
  )
}

interface TurnFilesProps {
  readonly projectId: string
  readonly about: AboutQuery
  readonly files: readonly TurnFile[]
}

/** The files of something that was said, each with where its content is. */
export function TurnFiles({ projectId, about, files }: TurnFilesProps) {
  const { t } = useTranslation('query')
  const port = useQueryPort(projectId, about)
  const standings = useStandings(port)
  return (
    <ul className={list.list} aria-label={t('files.title')}>
      {files.map((file) => (
        <FileItem
          key={file.id}
          reference={file}
          words={file.name}
          standing={standings.get(file.id) ?? standingOfTurn(file)}
          port={port}
          removeLabel={null}
          onRemove={() => {}}
        />
      ))}
    </ul>
  )
}
