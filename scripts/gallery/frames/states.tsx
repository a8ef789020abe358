import { Button } from '@mantine/core'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'

import type { Frame } from '../frame.ts'

/** For the gallery, which finds it here. */
export const frame: Frame = {
  name: 'EmptyState, Loaded, Note',
  states: {
    empty: () => <EmptyState title="还没有受试者" text="有受试者入组后会显示在这里。" action={<Button>入组</Button>} />,
    compact: () => <EmptyState compact title="还没有记录" />,
    loading: () => (
      <Loaded of={{ state: 'loading' }} rows={3}>
        {() => null}
      </Loaded>
    ),
    failed: () => <Loaded of={{ state: 'failed', error: { code: 'offline' } }}>{() => null}</Loaded>,
    notes: () => (
      <>
        {(['info', 'done', 'warning', 'error'] as const).map((tone) => (
          <Note key={tone} tone={tone} title={tone}>
            网络中断，已保存在本机，恢复后自动同步。
          </Note>
        ))}
      </>
    ),
  },
}
