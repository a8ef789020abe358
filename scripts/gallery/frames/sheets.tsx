import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { ConfirmDialog } from '#src/ui/dialogs/ConfirmDialog.tsx'
import { Sheet, SheetFoot } from '#src/ui/dialogs/Sheet.tsx'
import { NotLoaded } from '#src/ui/NotLoaded.tsx'

import type { Frame } from '../frame.ts'

interface OpenedProps {
  readonly children: (close: () => void) => ReactNode
}

function Opened({ children }: OpenedProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button size="md" variant="default" onClick={() => setOpen(true)}>
        open
      </Button>
      {isOpen && children(() => setOpen(false))}
    </>
  )
}

function Plain({ lines, isTall, onClose }: { lines: number; isTall?: boolean; onClose: () => void }) {
  return (
    <Sheet title="取消访视“第 4 周”" isTall={isTall === true} onClose={onClose}>
      {Array.from({ length: lines }, (_, at) => (
        <Text key={at}>{`第 ${at + 1} 行：访视标为已取消，其中已录入的页面保留，可以恢复。`}</Text>
      ))}
      <SheetFoot>
        <Button size="md" variant="default" onClick={onClose}>
          取消
        </Button>
        <Button size="md" onClick={onClose}>
          确定
        </Button>
      </SheetFoot>
    </Sheet>
  )
}

/** For the gallery, which finds it here. */
export const frame: Frame = {
  name: 'dialogs/Sheet, dialogs/ConfirmDialog, NotLoaded',
  states: {
    'a question': () => <Opened>{(close) => <Plain lines={2} onClose={close} />}</Opened>,
    'longer than the screen': () => <Opened>{(close) => <Plain lines={60} onClose={close} />}</Opened>,
    'high from the start': () => <Opened>{(close) => <Plain lines={1} isTall onClose={close} />}</Opened>,
    'whole screen': () => (
      <Opened>
        {(close) => (
          <Sheet title="预览" fullScreen onClose={close}>
            <Text>内容不会保存。</Text>
          </Sheet>
        )}
      </Opened>
    ),
    'cannot be undone': () => (
      <Opened>
        {(close) => (
          <ConfirmDialog
            opened
            danger
            title="删除草稿"
            text="确认要删除这个草稿版的表单？"
            submit="删除"
            onConfirm={close}
            onClose={close}
          />
        )}
      </Opened>
    ),
    'not on this device': () => <Opened>{(close) => <NotLoaded onClose={close} />}</Opened>,
  },
}
