/** The guide of the demo: five steps, each with what to do there and before one is there. */
export const guide = {
  title: '入门导览',
  progress: '第 {{step}} 步，共 {{of}} 步',
  next: '下一步',
  finish: '完成导览',
  close: '关闭导览，不再显示',
  open: {
    title: '打开一个待录入的页面',
    there: '“我的工作”列出今天、本周和逾期的访视；点一行，直接到该页。',
    here: '这就是录入页：右上角是连接与同步状态。',
    go: '打开我的工作',
  },
  type: {
    title: '断开网络，录入一个值',
    there: '回到刚才的页面。',
    here: '在平板上打开飞行模式（服务器就在本机时，在终端按 Ctrl+C 停下它），再录入一个值：照常可用。',
    go: '回到该页',
  },
  kept: {
    title: '确认数据已存在本机',
    there: '没有网络时，每次录入都立即加密保存在这台设备上。',
    here: '这里列出本机尚未发送的修改；刷新页面或重启设备，都不会丢失。',
    go: '查看本机数据',
  },
  submit: {
    title: '恢复网络并提交',
    there: '重新联网后会自动同步。',
    here: '联网后点页面底部的“提交”：通过核查的页面进入已提交状态。',
    go: '回到该页',
  },
  trail: {
    title: '查看稽查轨迹',
    there: '谁、何时、把什么改成了什么、为什么，都有记录。',
    here: '每次录入、更正和提交都在这里，可筛选，不可修改。',
    go: '查看稽查轨迹',
  },
  history: {
    title: '查看字段的稽查轨迹',
    there: '谁、何时、把什么改成了什么、为什么，都有记录。',
    here: '在字段旁的菜单中打开“稽查轨迹”：每次录入和更正都在其中，不可修改。',
    go: '回到该页',
  },
}
