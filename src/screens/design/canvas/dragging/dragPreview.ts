import type { ElementDragPayload } from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter'
import { pointerOutsideOfPreview } from '@atlaskit/pragmatic-drag-and-drop/utils/pointer-outside-of-preview'
import { setCustomNativeDragPreview } from '@atlaskit/pragmatic-drag-and-drop/utils/set-custom-native-drag-preview'
import classes from './dragging.module.css'

/** Shows icon and name of the dragged thing at the pointer. */
export function showDragPreview(
  { element }: ElementDragPayload,
  name: string,
  nativeSetDragImage: DataTransfer['setDragImage'] | null,
): void {
  setCustomNativeDragPreview({
    nativeSetDragImage,
    getOffset: pointerOutsideOfPreview({ x: '12px', y: '8px' }),
    render: ({ container }) => {
      const preview = document.createElement('div')
      preview.className = classes.preview ?? ''
      const icon = element.querySelector('svg')?.cloneNode(true)
      if (icon !== undefined) preview.append(icon)
      const words = document.createElement('span')
      words.className = classes.previewName ?? ''
      words.textContent = name
      preview.append(words)
      container.append(preview)
    },
  })
}
