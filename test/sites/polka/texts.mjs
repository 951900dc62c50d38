/** The words of the help centre. */
export const HELP_TEXTS = {
  helpTitle: {
    en: 'How can we help?',
    es: '¿En qué podemos ayudarte?',
    de: 'Wie können wir helfen?',
    ar: 'كيف يمكننا مساعدتك؟',
  },
  helpText: {
    en: 'Answers about orders, returns and the right bulb.',
    es: 'Respuestas sobre pedidos, devoluciones y la bombilla adecuada.',
    de: 'Antworten zu Bestellungen, Rückgaben und dem passenden Leuchtmittel.',
    ar: 'إجابات عن الطلبات والإرجاع واللمبة المناسبة.',
  },
  sites: { en: 'Sites', es: 'Sitios', de: 'Seiten', ar: 'المواقع' },
  contact: { en: 'Contact', es: 'Contacto', de: 'Kontakt', ar: 'تواصل معنا' },
  tryIt: {
    en: 'Try it as a partner’s developer',
    es: 'Pruébalo como desarrollador de un socio',
    de: 'Als Entwicklerin eines Partners ausprobieren',
    ar: 'جرّبه بصفة مطوّر لدى شريك',
  },
  tryItText: {
    en: 'Those who signed the agreement see the sandbox in the menu above.',
    es: 'Quien ha firmado el acuerdo ve el entorno de pruebas en el menú de arriba.',
    de: 'Wer die Vereinbarung unterschrieben hat, sieht oben im Menü die Testumgebung.',
    ar: 'من وقّع الاتفاقية يرى بيئة الاختبار في القائمة أعلاه.',
  },
}
