import { Button } from '@mantine/core'
import { IconMarquee2 } from '@tabler/icons-react'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { Region } from '#core/api/calls/attachment.ts'
import { addressKey } from '#core/form/definition/address.ts'

import { RegionForm } from './RegionForm.tsx'
import type { NamedField } from './RegionForm.tsx'
import { RegionList } from './RegionList.tsx'
import type { Drawing } from './useDrawing.ts'
import type { Marking } from './useMarking.ts'
import type { Regions } from './useRegions.ts'

interface RegionToolsProps {
  readonly known: Regions
  readonly marking: Marking
  readonly drawing: Drawing
  /** Whether the user may tie parts of this picture to fields, while the server can be asked. */
  readonly isMarkable: boolean
  readonly fields: readonly NamedField[]
  readonly nameOf: (region: Region) => string
  readonly newButton: RefObject<HTMLButtonElement | null>
}

/** What stands below a picture: its regions as a list, and the tools to draw one. */
export function RegionTools({ known, marking, drawing, isMarkable, fields, nameOf, newButton }: RegionToolsProps) {
  const { t } = useTranslation('files')
  const { regions, isOnline, takeBack } = known
  const { draft, begin } = drawing
  return (
    <>
      {/* The button stays while the network is away or in doubt: without it, a keyboard user would lose their place.
       */}
      {isMarkable && draft === null && (
        <Button
          ref={newButton}
          size="md"
          variant="default"
          {...(isOnline ? {} : { 'aria-disabled': true, 'data-disabled': true })}
          leftSection={<IconMarquee2 size={20} aria-hidden="true" />}
          onClick={() => isOnline && begin(null)}
        >
          {t('region.new')}
        </Button>
      )}
      {/* A region that is being drawn stays, even when the network goes away meanwhile. */}
      {isMarkable && draft !== null && (
        <RegionForm
          key={draft.before?.regionId ?? 'new'}
          fields={fields}
          address={draft.before === null ? (fields[0]?.address ?? '') : addressKey(draft.before)}
          note={draft.before?.note ?? ''}
          onSave={drawing.keep}
          onCancel={drawing.cancel}
        />
      )}
      {regions.length > 0 && (
        <RegionList
          regions={regions}
          marked={marking.marked}
          nameOf={nameOf}
          onMark={marking.mark}
          onEdit={isMarkable && isOnline ? begin : null}
          onTakeBack={takeBack}
        />
      )}
    </>
  )
}
