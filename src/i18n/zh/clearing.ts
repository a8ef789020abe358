/** Clearing this device, and keys that an old password sealed. */
export const clearing = {
  title: '清除本机数据',
  text: '移交、停用设备或排查问题前使用。只清除本机的副本和密钥，服务器上的数据不变；还有未同步的内容时不会清除。',
  blocked: '管理员已停用这台设备，不再下发数据。未同步的内容仍可发送，发送完成后请清除本机数据。',
  mine: '清除我的数据并退出',
  everybody: '清除所有人的数据并退出',
  mineTitle: '清除您在本机的数据?',
  everybodyTitle: '清除所有人在本机的数据?',
  mineText: '您下载到本机的中心副本和密钥会被清除。再次使用须联网登录并重新下载。同事的数据不受影响。',
  everybodyText: '所有人下载到本机的副本和密钥都会被清除。再次使用须联网登录并重新下载。',
  submit: '清除',
  refused:
    '还不能清除：本机有 {{unsent}} 项未同步、{{typed}} 页有未保存的输入。请先同步；无法连接服务器时，请在上方导出未同步数据。未保存的输入须由录入者本人解锁本机后自动保存。',
  sync: '立即同步',
  older: {
    title: '找回旧密码加密的内容',
    text: '您的密码已更换，本机有未同步的内容只能用旧密码打开。输入旧密码后继续同步；在此之前内容一直加密保留。',
    password: '旧密码',
    submit: '找回',
    wrong: '此密码不能打开加密的内容，请重新输入。',
  },
} as const
