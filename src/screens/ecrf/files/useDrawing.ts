import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Region } from '#core/api/calls/attachment.ts'
import type { ApiError } from '#core/api/errors.ts'
import type { Rect } from '#core/files/region.ts'
import { isRect, middleOf } from '#core/files/region.ts'
import { addressOf } from '#core/form/definition/address.ts'

import type { PictureView } from './pictureView.ts'
import type { Marking } from './useMarking.ts'
import type { Regions } from './useRegions.ts'

/** A region that is being drawn. */
export interface Drawing {
  /** The rectangle as it is now, and the region as it was before; null while nothing is drawn. */
  readonly draft: { readonly before: Region | null; readonly rect: Rect } | null
  /** Begins to draw a region again, or a new one (null). */
  readonly begin: (before: Region | null) => void
  readonly move: (rect: Rect) => void
  readonly cancel: () => void
  /** Resolves with why the region could not be kept, or null. */
  readonly keep: (address: string, note: string) => Promise<ApiError | null>
}

/** Draws regions on a picture, one at a time. */
export function useDrawing(view: PictureView, save: Regions['save'], { show, setMarked }: Marking): Drawing {
  const { t } = useTranslation('files')
  const [draft, setDraft] = useState<Drawing['draft']>(null)
  return {
    draft,
    begin: (before) => {
      if (before !== null) show(before)
      // A new region begins in the middle of the part that is in sight.
      setDraft({ before, rect: before?.rect ?? middleOf(view.visible()) })
    },
    move: (rect) => setDraft((now) => (now === null ? null : { ...now, rect })),
    cancel: () => setDraft(null),
    keep: async (address, note) => {
      if (draft === null) return null
      if (!isRect(draft.rect)) return { code: 'invalid', message: t('region.tooSmall') }
      const done = await save(draft.before, addressOf(address), draft.rect, note)
      if (!done.ok) return done.error
      setDraft(null)
      setMarked(done.value.regionId)
      return null
    },
  }
}
