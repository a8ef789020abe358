import { Modal, Stack } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import type { FieldAddress } from '#core/form/definition/address.ts'
import { addressOf } from '#core/form/definition/address.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import { useServerQuery } from '#src/data/server.ts'
import { useNeedsServer } from '#src/frame/shell/useNeedsServer.ts'
import { useUnsentTrail } from '#src/data/hooks/useUnsentTrail.ts'
import type { UnsentTrailLine } from '#src/data/shapes/trailTypes.ts'
import type { Casebook, EntryView } from '#src/data/shapes/types.ts'
import type { Language } from '#src/form/words.ts'
import { placeName } from '#src/form/words.ts'

import { CHUNK, TrailChunk } from './TrailChunk.tsx'
import type { ChunkProps } from './TrailChunk.tsx'
import { UnsentLines } from './UnsentLines.tsx'
import { useParts } from './useParts.ts'
import { useTrailReader } from './useTrailReader.ts'

/** Below this width, in em, it takes the whole screen. */
const NARROW = '(max-width: 48em)'

interface FieldTrailProps {
  readonly book: Casebook
  readonly view: EntryView
  readonly form: FormState
  /** Address of the field. */
  readonly address: string
  readonly onClose: () => void
}

/** The history of one field, for every user who may see its value. */
export function FieldTrail({ book, view, form, address, onClose }: FieldTrailProps) {
  const { t, i18n } = useTranslation(['trail', 'form', 'common'])
  const language: Language = i18n.language === 'en' ? 'en' : 'zh'
  const narrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false })
  const needs = useNeedsServer()
  const reader = useTrailReader(book)
  const place = addressOf(address)
  const unsent = useUnsentTrail(book.project.id, book.patient.id, { entryId: view.entryId, versionId: view.versionId })
  const own = (unsent.state === 'ready' ? unsent.value : []).filter((line) => isOfField(line, place))
  const cell = form.getCell(address)
  const label = cell === undefined ? place.code : placeName(form, cell, language, i18n.getFixedT(language, 'form'))
  // When unsent lines have been sent, the server has them, and its lines are read again.
  const asOf = own.map(({ id }) => id).join(' ')
  const { parts, more } = useParts(asOf)
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('ofField', { label })}
      size="lg"
      fullScreen={narrow}
      closeButtonProps={{ 'aria-label': t('common:action.close'), size: 44 }}
      transitionProps={{ duration: 120 }}
    >
      <Stack>
        <UnsentLines lines={own} reader={reader} needs={needs} />
        {needs === null &&
          parts.map((before, at) => (
            <FieldChunk
              key={before}
              projectId={book.project.id}
              entryId={view.entryId}
              versionId={view.versionId}
              place={place}
              asOf={asOf}
              before={before}
              isLast={at === parts.length - 1}
              onMore={more}
              reader={reader}
            />
          ))}
      </Stack>
    </Modal>
  )
}

interface FieldChunkProps extends ChunkProps {
  readonly projectId: string
  readonly entryId: string
  /** The version that draws the page, and whose codes its fields have. */
  readonly versionId: string
  readonly place: FieldAddress
  readonly asOf: string
}

function FieldChunk({ projectId, entryId, versionId, place: { table, rid, code }, asOf, ...chunk }: FieldChunkProps) {
  const { t } = useTranslation('trail')
  const ofRow = table === null || rid === null ? {} : { table, rid }
  const after = chunk.before === null ? {} : { before: chunk.before }
  const of = useServerQuery(
    'audit.field',
    {
      params: { id: entryId },
      query: { projectId, prop: code, versionId, ...ofRow, ...after, size: CHUNK },
      projectId,
    },
    asOf,
  )
  return <TrailChunk {...chunk} of={of} empty={t('none')} />
}

/**
 * Whether a line belongs to a field, by the same rule as on the server: for a field in a row also what happened to the
 * row, for a table all that happened in it. It compares with the field's present code, not with the one of its time.
 */
function isOfField({ rid: row, now, ...then }: UnsentTrailLine, { table, rid, code }: FieldAddress): boolean {
  if (now === null) return false
  const line = now ?? then
  if (table === null) return (line.table === null && line.prop === code) || line.table === code
  return line.table === table && row === rid && (line.prop === code || line.prop === null || line.prop === '_deleted')
}
