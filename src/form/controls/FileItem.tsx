import { IconFile, IconTrash } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import { isImageType } from '#core/files/reference.ts'
import type { FileReference } from '#core/files/reference.ts'
import type { FileStanding } from '#src/data/shapes/fileTypes.ts'
import { useBlobUrl } from '#src/ui/useBlobUrl.ts'
import { byteSize } from '#src/ui/words/format.ts'

import type { FilePort } from '../filePort.ts'
import form from '../form.module.css'
import { FileStateBadge } from './FileStateBadge.tsx'
import classes from './fileList.module.css'

interface FileItemProps {
  readonly reference: FileReference | null
  /** The name of the file in words. */
  readonly words: string
  readonly standing: FileStanding | null
  readonly port: Pick<FilePort, 'thumb' | 'address'> | null
  readonly removeLabel: string | null
  readonly onRemove: () => void
}

/** One file of a field: its thumbnail, its name as a link, its size, and its state. */
export function FileItem({ reference, words, standing, port, removeLabel, onRemove }: FileItemProps) {
  const thumb = useBlobUrl(port?.thumb ?? null, reference !== null && isImageType(reference.type) ? reference.id : null)
  return (
    <li className={classes.item}>
      <span className={classes.thumb} aria-hidden="true">
        {thumb === null ? <IconFile size={28} stroke={1.4} /> : <img src={thumb} alt="" />}
      </span>
      <span className={classes.words}>
        {reference === null || port === null ? (
          <span className={classes.name}>{words}</span>
        ) : (
          <Link className={classes.name} to={port.address(reference.id)}>
            {words}
          </Link>
        )}
        {reference !== null && (
          <span className={classes.facts}>
            {byteSize(reference.size)}
            {/* Away from its page the state of a file is not shown. */}
            {port !== null && (
              <>
                {' · '}
                <FileStateBadge standing={standing} />
              </>
            )}
          </span>
        )}
      </span>
      {removeLabel !== null && (
        <button type="button" className={form.quiet} aria-label={removeLabel} onClick={onRemove}>
          <IconTrash size={20} aria-hidden="true" />
        </button>
      )}
    </li>
  )
}
