import '@mantine/core/styles.css'

import { AppShell, Button, MantineProvider, PasswordInput, TextInput } from '@mantine/core'
import { createRoot } from 'react-dom/client'

/**
 * The floor of the first paint: what the component library itself needs to show two inputs and a button in its shell.
 */
const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
createRoot(root).render(
  <MantineProvider>
    <AppShell header={{ height: 56 }} padding="md">
      <AppShell.Header>证录</AppShell.Header>
      <AppShell.Main>
        <form>
          <TextInput label="账号" />
          <PasswordInput label="密码" />
          <Button type="submit">登录</Button>
        </form>
      </AppShell.Main>
    </AppShell>
  </MantineProvider>,
)
