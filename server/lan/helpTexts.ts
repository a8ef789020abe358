/** What the help page says, in both languages. */
export type HelpLanguage = 'zh' | 'en'

/** How to trust the certificate on one kind of device. */
export interface DeviceSteps {
  readonly device: string
  readonly steps: readonly string[]
}

export interface HelpTexts {
  readonly lang: string
  readonly product: string
  readonly title: string
  readonly why: string
  readonly checking: string
  readonly trusted: string
  readonly notTrusted: string
  readonly notTrustedHint: string
  readonly checkAgain: string
  readonly open: string
  readonly download: { readonly title: string; readonly button: string; readonly name: string; readonly until: string }
  readonly compare: { readonly title: string; readonly text: string; readonly warning: string; readonly label: string }
  readonly install: { readonly title: string; readonly text: string }
  readonly devices: {
    readonly android: DeviceSteps
    readonly ipad: DeviceSteps
    readonly windows: DeviceSteps
    readonly mac: DeviceSteps
  }
  readonly last: { readonly title: string; readonly text: string }
  readonly scope: string
}

export const HELP_TEXTS: Readonly<Record<HelpLanguage, HelpTexts>> = {
  zh: {
    lang: 'zh-CN',
    product: '证录',
    title: '让这台平板信任本站',
    why: '没有网络也能录入，需要加密连接。请让这台平板信任本站的证书：每台平板只做一次，大约两分钟。',
    checking: '正在检查这台平板…',
    trusted: '这台平板已经信任本站。',
    notTrusted: '这台平板还没有信任本站。',
    notTrustedHint: '请完成下面的步骤，再检查一次。做完仍是这样：关掉浏览器重新打开，或联系管理员。',
    checkAgain: '再检查一次',
    open: '打开证录',
    download: { title: '下载证书', button: '下载证书', name: '名称', until: '有效期至' },
    compare: {
      title: '核对指纹',
      text: '安装时看证书的详细信息：SHA-256 指纹要与管理员手中的一致（服务器启动时打印）。不一致就不要安装。',
      warning: '本页没有加密，可能被人改动。请以服务器打印的指纹为准，不要只看本页。',
      label: 'SHA-256 指纹',
    },
    install: { title: '安装并信任', text: '选这台设备的系统。不同品牌的菜单名称略有不同。' },
    devices: {
      android: {
        device: '安卓、鸿蒙平板',
        steps: [
          '先设好锁屏密码。',
          '打开“设置”，搜索“证书”，进入“安装证书”→“CA 证书”（多在“安全”→“加密与凭据”或“更多安全设置”里）。',
          '看过提示后点“仍然安装”，选下载的 zhenglu-site-ca.crt。',
          '在“信任的凭据”→“用户”里点开它，核对指纹。',
          '请用 Chrome、Edge 或平板自带的浏览器打开证录。',
        ],
      },
      ipad: {
        device: 'iPad',
        steps: [
          '用 Safari 打开本页，点“下载证书”，选“允许”。',
          '打开“设置”，点最上面的“已下载描述文件”，点“更多详细信息”核对指纹，再点“安装”。',
          '回到“设置”→“通用”→“关于本机”→“证书信任设置”，打开这个证书的开关。缺了这一步不算信任。',
        ],
      },
      windows: {
        device: 'Windows',
        steps: [
          '核对指纹：在 PowerShell 里运行 Get-FileHash zhenglu-site-ca.crt，结果就是指纹（不带冒号）。',
          '双击下载的文件，点“安装证书”，选“当前用户”。',
          '选“将所有的证书都放入下列存储”→“受信任的根证书颁发机构”，完成。',
          '关掉浏览器，重新打开。',
        ],
      },
      mac: {
        device: 'macOS',
        steps: [
          '双击下载的文件，加入“钥匙串访问”的“登录”。',
          '在“钥匙串访问”里双击这个证书，核对 SHA-256 指纹。',
          '展开“信任”，“使用此证书时”选“始终信任”，输入密码。',
          '关掉浏览器，重新打开。',
        ],
      },
    },
    last: { title: '打开证录', text: '以后都用这个地址，可以加为书签或放到主屏幕。' },
    scope: '这个证书只能证明局域网里的地址和名字，不能冒充互联网上的网站。不再使用时，在安装它的地方删除。',
  },
  en: {
    lang: 'en',
    product: 'Zhenglu',
    title: 'Let this tablet trust this site',
    why: 'Entering data without a network needs an encrypted connection. Let this tablet trust the certificate of this site: once for each tablet, about two minutes.',
    checking: 'Checking this tablet …',
    trusted: 'This tablet trusts this site.',
    notTrusted: 'This tablet does not trust this site yet.',
    notTrustedHint:
      'Follow the steps below, then check again. If nothing changes, close the browser and open it again, or ask the administrator.',
    checkAgain: 'Check again',
    open: 'Open Zhenglu',
    download: { title: 'Download the certificate', button: 'Download certificate', name: 'Name', until: 'Valid until' },
    compare: {
      title: 'Compare the fingerprint',
      text: 'While installing, look at the details of the certificate: the SHA-256 fingerprint must be the one that the administrator has (the server prints it when it starts). If it differs, do not install it.',
      warning:
        'This page is not encrypted, and somebody may have changed it. Rely on what the server printed, not on this page alone.',
      label: 'SHA-256 fingerprint',
    },
    install: {
      title: 'Install and trust it',
      text: 'Choose the system of this device. Menus differ a little from brand to brand.',
    },
    devices: {
      android: {
        device: 'Android and HarmonyOS',
        steps: [
          'Set a screen lock first.',
          'Open Settings, search for “certificate” and go to Install a certificate → CA certificate (often under Security → Encryption & credentials, or More security settings).',
          'Read the warning, tap Install anyway and choose the downloaded zhenglu-site-ca.crt.',
          'Open it under Trusted credentials → User and compare the fingerprint.',
          'Open Zhenglu in Chrome, Edge or the browser that came with the tablet.',
        ],
      },
      ipad: {
        device: 'iPad',
        steps: [
          'Open this page in Safari, tap Download certificate and choose Allow.',
          'Open Settings, tap Profile Downloaded at the top, tap More Details to compare the fingerprint, then tap Install.',
          'Go back to Settings → General → About → Certificate Trust Settings and switch this certificate on. Without this step it is not trusted.',
        ],
      },
      windows: {
        device: 'Windows',
        steps: [
          'Compare the fingerprint: run Get-FileHash zhenglu-site-ca.crt in PowerShell. The result is the fingerprint, without colons.',
          'Double-click the downloaded file, click Install Certificate and choose Current User.',
          'Choose Place all certificates in the following store → Trusted Root Certification Authorities, and finish.',
          'Close the browser and open it again.',
        ],
      },
      mac: {
        device: 'macOS',
        steps: [
          'Double-click the downloaded file and add it to the login keychain in Keychain Access.',
          'Double-click the certificate in Keychain Access and compare the SHA-256 fingerprint.',
          'Open Trust, set When using this certificate to Always Trust, and enter your password.',
          'Close the browser and open it again.',
        ],
      },
    },
    last: {
      title: 'Open Zhenglu',
      text: 'Use this address from now on. It can be a bookmark, or be put on the home screen.',
    },
    scope:
      'This certificate can only vouch for addresses and names of local networks, not for web sites of the Internet. When it is no longer needed, remove it where it was installed.',
  },
}
