import { Button } from '@mantine/core'
import { StatusBadge } from '#src/ui/badges/StatusBadge.tsx'
import { IdentityStrip } from '#src/ui/IdentityStrip.tsx'
import { PageFrame, Panel } from '#src/ui/PageFrame.tsx'

import type { Frame } from '../frame.ts'

/** For the gallery, which finds it here. */
export const frame: Frame = {
  name: 'IdentityStrip, PageFrame',
  states: {
    strip: () => (
      <IdentityStrip
        facts={[
          { id: 'center', fact: '云岭省中医医院' },
          { id: 'sex', fact: '男' },
          { id: 'day', fact: '2026-07-01 入组', isMinor: true },
          { id: 'state', fact: <StatusBadge status="conflict" /> },
        ]}
        actions={<Button size="md">继续填写</Button>}
      />
    ),
    page: () => (
      <PageFrame title="项目字典" intro="表单字段共用的选项列表。" actions={<Button size="md">新建字典</Button>}>
        <Panel title="证候">气虚血瘀证</Panel>
      </PageFrame>
    ),
  },
}
