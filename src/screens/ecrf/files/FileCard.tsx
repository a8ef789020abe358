import { Button } from '@mantine/core'
import { IconFile } from '@tabler/icons-react'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { isImageType } from '#core/files/reference.ts'
import { filePath } from '#src/paths/screenPaths.ts'
import type { FileLine } from '#src/data/shapes/fileTypes.ts'
import { useDataActions } from '#src/data/hooks/useDevice.ts'
import { FileStateBadge } from '#src/form/controls/FileStateBadge.tsx'
import { ConfirmDialog } from '#src/ui/dialogs/ConfirmDialog.tsx'
import { byteSize } from '#src/ui/words/format.ts'
import { useBlobUrl } from '#src/ui/useBlobUrl.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import classes from './files.module.css'

interface FileCardProps {
  readonly projectId: string
  readonly patientId: string
  readonly line: FileLine
}

/**
 * One attachment: its thumbnail, the field that it belongs to, and where its contents are. A file that nothing needs
 * any more can be given up here.
 */
export function FileCard({
  projectId,
  patientId,
  line: { reference, isNamed, page, query, standing, ...field },
}: FileCardProps) {
  const names = useNames()
  const { t } = useTranslation(['files', 'query'])
  const { discardFile } = useDataActions()
  const [asking, setAsking] = useState(false)
  const picture = useThumbOf(projectId, isImageType(reference.type) ? reference.id : null)
  const belongs = !isNamed
    ? ''
    : query !== null
      ? query.no === 0
        ? t('query:unnumbered')
        : t('query:no', { no: query.no })
      : [page === null ? null : names.place(page), names.field(field)].filter((part) => part !== null).join(' · ')
  return (
    <div className={classes.card}>
      <Link to={filePath(projectId, patientId, reference.id)} className={classes.open}>
        <span className={classes.picture} aria-hidden="true">
          {picture === null ? <IconFile size={36} stroke={1.4} /> : <img src={picture} alt="" />}
        </span>
        <span className={classes.name}>{reference.name}</span>
      </Link>
      <p className={classes.quiet}>{belongs === '' ? t('belongsNowhere') : belongs}</p>
      <p className={`${classes.quiet} ${classes.facts}`}>
        {byteSize(reference.size)}
        <FileStateBadge standing={standing} />
      </p>
      {!isNamed && (standing.state === 'loose' || standing.state === 'rejected') && (
        <Button variant="default" onClick={() => setAsking(true)}>
          {t('discard.open')}
        </Button>
      )}
      <ConfirmDialog
        opened={asking}
        danger
        title={t('discard.title')}
        text={t('discard.text', { name: reference.name })}
        submit={t('discard.open')}
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          await discardFile(reference.id)
          setAsking(false)
        }}
      />
    </div>
  )
}

/** The address of a file's thumbnail. */
export function useThumbOf(projectId: string, fileId: string | null): string | null {
  const { fileThumb } = useDataActions()
  const read = useCallback((id: string) => fileThumb(projectId, id), [fileThumb, projectId])
  return useBlobUrl(read, fileId)
}
