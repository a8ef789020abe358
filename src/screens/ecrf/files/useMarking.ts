import { useState } from 'react'
import type { Region } from '#core/api/calls/attachment.ts'
import { addressKey, pageFieldOf } from '#core/form/definition/address.ts'

import type { PictureView } from './pictureView.ts'

/** The region that is marked on the picture and on the page. */
export interface Marking {
  /** The id of the region; null while none is marked. */
  readonly marked: string | null
  /** The field on the page that gets the focus. A new object asks for it again. */
  readonly focus: { readonly address: string } | undefined
  /** Marks a region that is already in sight. */
  readonly setMarked: (regionId: string) => void
  /** Brings a region into sight on the picture, and marks it. */
  readonly show: (region: Region) => void
  /** Does the same, and leads to the region's field on the page. */
  readonly mark: (region: Region) => void
  /** Brings the region of a field of the page into sight, if it has one. */
  readonly showOf: (address: string | undefined) => void
}

/** Leads from a region to its field, and from a field to its region. */
export function useMarking(view: PictureView, regions: readonly Region[]): Marking {
  const [marked, setMarked] = useState<string | null>(null)
  const [focus, setFocus] = useState<{ readonly address: string }>()
  const show = (region: Region) => {
    setMarked(region.regionId)
    view.show(region.rect)
  }
  return {
    marked,
    focus,
    setMarked,
    show,
    mark: (region) => {
      show(region)
      setFocus({ address: pageFieldOf(addressKey(region)) })
    },
    showOf: (address) => {
      const region = regions.find((one) => pageFieldOf(addressKey(one)) === address)
      if (region !== undefined) show(region)
    },
  }
}
