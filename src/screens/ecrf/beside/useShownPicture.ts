import { useState } from 'react'
import type { Region } from '#core/api/calls/attachment.ts'
import { usePictureView } from '#src/screens/ecrf/files/pictureView.ts'
import type { PictureView } from '#src/screens/ecrf/files/pictureView.ts'

import type { SourcePicture } from './useSource.ts'

/** Which picture is shown, which part of it is marked, and how it is looked at. */
export interface ShownPicture {
  /** Undefined where there is none. */
  readonly picture: SourcePicture | undefined
  readonly marked: string | null
  readonly view: PictureView
  /** Shows the picture of a region, with that part large and marked. */
  readonly show: (region: Region) => void
  /** Marks a part that is in sight. */
  readonly mark: (region: Region) => void
  /** Shows another picture as a whole. */
  readonly choose: (fileId: string) => void
}

/**
 * A field brings the part of a picture that it rests on. One that rests on none leaves the picture as it is.
 *
 * @param own the regions of the field at hand
 */
export function useShownPicture(pictures: readonly SourcePicture[], own: readonly Region[]): ShownPicture {
  const view = usePictureView()
  const [chosen, setChosen] = useState<string | null>(null)
  const [marked, setMarked] = useState<string | null>(null)
  const [broughtFor, setBroughtFor] = useState('')
  const show = (region: Region) => {
    setChosen(region.attachmentId)
    setMarked(region.regionId)
    view.show(region.rect)
  }
  const [first] = own
  const asked = own.map(({ regionId }) => regionId).join(' ')
  if (asked !== broughtFor) {
    setBroughtFor(asked)
    // Who came to the field by a press on its part of the picture sees that part already.
    if (first === undefined) setMarked(null)
    else if (!own.some(({ regionId }) => regionId === marked)) show(first)
  }
  return {
    picture: pictures.find(({ reference }) => reference.id === chosen) ?? pictures[0],
    marked,
    view,
    show,
    mark: ({ regionId }) => setMarked(regionId),
    choose: (fileId) => {
      setChosen(fileId)
      setMarked(null)
      view.reset()
    },
  }
}
