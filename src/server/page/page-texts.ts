/** The texts around the element on the hosted page. The element has its own, in more languages. */
export interface PageTexts {
  /** Also the description in the preview of a link. */
  readonly title: string
  /** Shown when the element does not appear. */
  readonly hint: string
  readonly contact: string
  /** For an address that cannot be one of a payment. */
  readonly invalid: string
}

type Row = readonly [title: string, hint: string, contact: string, invalid: string]

/** In the order of `PageTexts`. */
const rows = {
  ar: [
    'الدفع بالعملات الرقمية',
    'إذا لم يظهر شيء، ففعّل JavaScript وأعد تحميل الصفحة، أو تواصل مع المتجر.',
    'التواصل مع المتجر',
    'لا يمكن عرض هذه الدفعة هنا.',
  ],
  de: [
    'Mit Kryptowährung bezahlen',
    'Wenn nichts erscheint, schalten Sie JavaScript ein und laden Sie die Seite neu, oder wenden Sie sich an den Shop.',
    'Shop kontaktieren',
    'Diese Zahlung kann hier nicht angezeigt werden.',
  ],
  en: [
    'Pay with crypto',
    'If nothing appears, turn on JavaScript and reload this page, or contact the shop.',
    'Contact the shop',
    'This payment cannot be shown here.',
  ],
  es: [
    'Pagar con criptomonedas',
    'Si no aparece nada, active JavaScript y vuelva a cargar esta página, o comuníquese con la tienda.',
    'Contactar con la tienda',
    'Este pago no se puede mostrar aquí.',
  ],
  fa: [
    'پرداخت با رمزارز',
    'اگر چیزی نمایش داده نمی‌شود، JavaScript را فعال و صفحه را دوباره بارگذاری کنید، یا با فروشگاه تماس بگیرید.',
    'تماس با فروشگاه',
    'این پرداخت را نمی‌توان اینجا نمایش داد.',
  ],
  fr: [
    'Payer en cryptomonnaie',
    'Si rien ne s’affiche, activez JavaScript et rechargez cette page, ou contactez la boutique.',
    'Contacter la boutique',
    'Ce paiement ne peut pas être affiché ici.',
  ],
  he: [
    'תשלום בקריפטו',
    'אם לא מופיע דבר, הפעילו JavaScript וטענו את הדף מחדש, או פנו לחנות.',
    'פנייה לחנות',
    'לא ניתן להציג את התשלום הזה כאן.',
  ],
  hi: [
    'क्रिप्टो से भुगतान करें',
    'अगर कुछ न दिखे, तो JavaScript चालू करके यह पेज फिर से लोड करें, या स्टोर से संपर्क करें।',
    'स्टोर से संपर्क करें',
    'यह भुगतान यहाँ नहीं दिखाया जा सकता।',
  ],
  id: [
    'Bayar dengan kripto',
    'Jika tidak ada yang muncul, aktifkan JavaScript dan muat ulang halaman ini, atau hubungi toko.',
    'Hubungi toko',
    'Pembayaran ini tidak dapat ditampilkan di sini.',
  ],
  it: [
    'Paga in criptovalute',
    'Se non appare nulla, attiva JavaScript e ricarica questa pagina, oppure contatta il negozio.',
    'Contatta il negozio',
    'Questo pagamento non può essere mostrato qui.',
  ],
  ja: [
    '暗号資産でお支払い',
    '何も表示されない場合は、JavaScriptを有効にしてこのページを再読み込みするか、ショップにお問い合わせください。',
    'ショップに問い合わせる',
    'このお支払いはここでは表示できません。',
  ],
  ko: [
    '암호화폐로 결제',
    '아무것도 나타나지 않으면 JavaScript를 켜고 이 페이지를 새로고침하거나 상점에 문의하세요.',
    '상점에 문의',
    '이 결제는 여기에 표시할 수 없습니다.',
  ],
  nl: [
    'Betalen met crypto',
    'Verschijnt er niets? Schakel JavaScript in en laad deze pagina opnieuw, of neem contact op met de winkel.',
    'Contact opnemen met de winkel',
    'Deze betaling kan hier niet worden getoond.',
  ],
  pl: [
    'Płatność kryptowalutą',
    'Jeśli nic się nie pojawia, włącz JavaScript i odśwież tę stronę lub skontaktuj się ze sklepem.',
    'Kontakt ze sklepem',
    'Tej płatności nie można tutaj wyświetlić.',
  ],
  pt: [
    'Pagar com criptomoedas',
    'Se nada aparecer, ative o JavaScript e recarregue esta página, ou entre em contato com a loja.',
    'Entrar em contato com a loja',
    'Este pagamento não pode ser mostrado aqui.',
  ],
  ru: [
    'Оплата криптовалютой',
    'Если ничего не появляется, включите JavaScript и обновите страницу или обратитесь в магазин.',
    'Связаться с магазином',
    'Этот платёж нельзя показать здесь.',
  ],
  sw: [
    'Lipa kwa kripto',
    'Ikiwa hakuna kinachoonekana, washa JavaScript na upakie ukurasa huu tena, au wasiliana na duka.',
    'Wasiliana na duka',
    'Malipo haya hayawezi kuonyeshwa hapa.',
  ],
  th: [
    'ชำระเงินด้วยคริปโต',
    'หากไม่มีอะไรปรากฏ โปรดเปิดใช้ JavaScript แล้วโหลดหน้านี้ใหม่ หรือติดต่อร้านค้า',
    'ติดต่อร้านค้า',
    'แสดงการชำระเงินนี้ที่นี่ไม่ได้',
  ],
  tr: [
    'Kripto para ile öde',
    'Hiçbir şey görünmezse JavaScript’i açıp bu sayfayı yenileyin veya mağazayla iletişime geçin.',
    'Mağazayla iletişime geç',
    'Bu ödeme burada gösterilemiyor.',
  ],
  uk: [
    'Оплата криптовалютою',
    'Якщо нічого не з’являється, увімкніть JavaScript і оновіть сторінку або зверніться до магазину.',
    'Зв’язатися з магазином',
    'Цей платіж неможливо показати тут.',
  ],
  vi: [
    'Thanh toán bằng tiền mã hóa',
    'Nếu không có gì hiển thị, hãy bật JavaScript và tải lại trang này, hoặc liên hệ cửa hàng.',
    'Liên hệ cửa hàng',
    'Không thể hiển thị thanh toán này ở đây.',
  ],
  'zh-Hans': [
    '加密货币付款',
    '如果没有显示任何内容，请启用 JavaScript 并重新加载本页面，或联系商家。',
    '联系商家',
    '无法在此显示这笔付款。',
  ],
  'zh-Hant': [
    '加密貨幣付款',
    '如果沒有顯示任何內容，請啟用 JavaScript 並重新載入本頁面，或聯絡商家。',
    '聯絡商家',
    '無法在此顯示這筆付款。',
  ],
} satisfies Record<string, Row>

type Language = keyof typeof rows

export const pageLanguages = Object.keys(rows)

const isLanguage = (name: string): name is Language => Object.hasOwn(rows, name)
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set<Language>(['ar', 'fa', 'he'])

export interface PageLanguage {
  /** A BCP 47 tag, with the region that was asked for. */
  readonly tag: string
  /** The first tag that was asked for. The element may have this language. */
  readonly preferred: string | undefined
  readonly direction: 'ltr' | 'rtl'
  readonly texts: PageTexts
}

/** The best language of an `Accept-Language` (RFC 9110, section 12.5.4), else English. */
export function pageLanguage(accepted = ''): PageLanguage {
  const tags = tagsByPreference(accepted).filter(tag => namesOf(tag).length > 0)
  for (const tag of tags) {
    const name = namesOf(tag).find(isLanguage)
    if (name) return inLanguage(name, tag, tags[0])
  }
  return inLanguage('en', 'en', tags[0])
}

function inLanguage(name: Language, tag: string, preferred: string | undefined): PageLanguage {
  const [title, hint, contact, invalid] = rows[name]
  return {
    tag,
    preferred,
    direction: RIGHT_TO_LEFT.has(name) ? 'rtl' : 'ltr',
    texts: {title, hint, contact, invalid},
  }
}

/** At most 20, because every client can send any number. */
function tagsByPreference(accepted: string): string[] {
  return accepted
    .split(',', 20)
    .map(each => {
      const [tag = '', weight = '1'] = each.split(/;\s*q=/)
      return {tag: tag.trim(), weight: Number(weight)}
    })
    .filter(({weight}) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({tag}) => tag)
}

/** As the element resolves a locale: `zh-TW` also matches `zh-Hant`. Empty for an invalid tag. */
function namesOf(tag: string): string[] {
  try {
    const {language, script} = new Intl.Locale(tag).maximize()
    return [tag, `${language}-${script}`, language]
  } catch {
    return []
  }
}
