import { IconPhoto } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Attachment } from '#core/api/calls/attachment.ts'
import { filePath } from '#src/paths/screenPaths.ts'
import { useProjectImages } from '#src/data/hooks/patientFiles.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Pages } from '#src/ui/lists/Pages.tsx'
import { fullTime } from '#src/ui/words/format.ts'

import { useThumbOf } from './FileCard.tsx'
import classes from './files.module.css'

/** Images of a project that the user may see, the latest first, in portions. Only the server has them. */
export function ProjectImages({ projectId }: { readonly projectId: string }) {
  const { t } = useTranslation('files')
  const [current, setCurrent] = useState(1)
  const images = useProjectImages(projectId, current)
  return (
    <Loaded of={images} rows={4}>
      {(value) =>
        value.images.length === 0 ? (
          <EmptyState
            icon={<IconPhoto size={44} stroke={1.4} />}
            title={t('images.empty.title')}
            text={t('images.empty.text')}
          />
        ) : (
          <>
            <ul className={classes.cards}>
              {value.images.map((image) => (
                <li key={image.id}>
                  <ImageCard projectId={projectId} image={image} />
                </li>
              ))}
            </ul>
            <Pages pages={value.pages} total={value.total} current={current} onChange={setCurrent} />
          </>
        )
      }
    </Loaded>
  )
}

function ImageCard({ projectId, image }: { readonly projectId: string; readonly image: Attachment }) {
  const picture = useThumbOf(projectId, image.thumb ? image.id : null)
  return (
    <div className={classes.card}>
      <Link to={filePath(projectId, image.target.patientId, image.id)} className={classes.open}>
        <span className={classes.picture} aria-hidden="true">
          {picture === null ? <IconPhoto size={36} stroke={1.4} /> : <img src={picture} alt="" />}
        </span>
        <span className={classes.name}>{image.name}</span>
      </Link>
      <p className={classes.quiet}>
        {[image.byName, image.at === null ? null : fullTime(image.at)].filter((part) => part !== null).join(' · ')}
      </p>
    </div>
  )
}
