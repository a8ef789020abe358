import { Button, Stack } from '@mantine/core'
import { IconFlag } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { FieldAddress } from '#core/form/definition/address.ts'
import { addressOf } from '#core/form/definition/address.ts'
import { useServerQuery } from '#src/data/server.ts'
import { useNeedsServer } from '#src/frame/shell/useNeedsServer.ts'
import { useUnsentTrail } from '#src/data/hooks/useUnsentTrail.ts'
import type { UnsentTrailLine } from '#src/data/shapes/trailTypes.ts'
import type { Casebook, EntryView } from '#src/data/shapes/types.ts'
import { BesidePanel } from '#src/screens/ecrf/beside/BesidePanel.tsx'

import { TrailChunk } from './TrailChunk.tsx'
import type { ChunkProps } from './TrailChunk.tsx'
import { UnsentLines } from './UnsentLines.tsx'
import { CHUNK, useParts } from '../useParts.ts'
import { useTrailReader } from '../useTrailReader.ts'

interface FieldTrailProps {
  readonly book: Casebook
  readonly view: EntryView
  /** Address of the field. */
  readonly address: string
  readonly title: string
  /** Whether it stands beside the page, which stays usable; else it lies over the page until it is closed. */
  readonly beside: boolean
  readonly onClose: () => void
  /** Shows what was asked about the field; null for who has nothing to do with queries. */
  readonly onQueries: (() => void) | null
  /** What else is told of the field. */
  readonly above: ReactNode
}

/** The history of one field, for every user who may see its value. */
export function FieldTrail({ beside, title, onClose, onQueries, above, ...of }: FieldTrailProps) {
  const { t } = useTranslation('query')
  return (
    <BesidePanel title={title} beside={beside} onClose={onClose}>
      <Stack>
        {above}
        {onQueries !== null && (
          <Button
            variant="default"
            size="md"
            style={{ alignSelf: 'flex-start' }}
            leftSection={<IconFlag size={18} aria-hidden="true" />}
            onClick={onQueries}
          >
            {t('title')}
          </Button>
        )}
        <FieldLines {...of} />
      </Stack>
    </BesidePanel>
  )
}

function FieldLines({ book, view, address }: Pick<FieldTrailProps, 'book' | 'view' | 'address'>) {
  const needs = useNeedsServer()
  const reader = useTrailReader(book)
  const place = addressOf(address)
  const unsent = useUnsentTrail(book.project.id, book.patient.id, { entryId: view.entryId, versionId: view.versionId })
  const own = (unsent.state === 'ready' ? unsent.value : []).filter((line) => isOfField(line, place))
  // When unsent lines have been sent, the server has them, and its lines are read again.
  const asOf = own.map(({ id }) => id).join(' ')
  const { parts, more } = useParts(asOf)
  return (
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
