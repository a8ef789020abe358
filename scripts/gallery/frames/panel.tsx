import { Button } from '@mantine/core'
import { useState } from 'react'
import { FactList } from '#src/ui/FactList.tsx'
import { RightPanel } from '#src/ui/panel/RightPanel.tsx'
import { SplitView } from '#src/ui/panel/SplitView.tsx'

import type { Frame } from '../frame.ts'

function Split({ many }: { readonly many: boolean }) {
  const [isOpen, setOpen] = useState(true)
  const [width, setWidth] = useState<number | null>(null)
  return (
    <SplitView
      width={width}
      onWidth={setWidth}
      panel={
        isOpen && (
          <RightPanel
            title="01-003 ZSF"
            actions={<Button size="md">打开病例</Button>}
            onClose={() => setOpen(false)}
            {...(many ? { place: '3 / 60', onPrevious: () => undefined, onNext: null } : {})}
          >
            <FactList
              facts={Array.from({ length: many ? 40 : 4 }, (_, at) => [
                `字段 ${at + 1}`,
                at % 3 === 0 ? '126 mmHg' : '未查',
              ])}
            />
          </RightPanel>
        )
      }
    >
      <Button size="md" variant="default" onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'close' : 'open'}
      </Button>
    </SplitView>
  )
}

/** For the gallery, which finds it here. */
export const frame: Frame = {
  name: 'panel/SplitView, panel/RightPanel',
  states: {
    'few facts': () => <Split many={false} />,
    'many facts, with neighbours': () => <Split many />,
  },
}
