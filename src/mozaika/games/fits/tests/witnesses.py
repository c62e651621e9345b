"""Final positions on our boards: the four scoring examples of the rulebook, and four perfect rounds.

Rows from the top down, those above the twelfth stick out; `_` is an uncovered square.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Witness:
    name: str
    board: int
    total: int
    dots: int
    drawn: str
    pieces: str
    full_rows: int = 0
    specials: tuple[int, ...] = ()
    pairs: int = 0
    singles: int = 0

    @property
    def order(self) -> list[str]:
        return self.pieces.split()


WITNESSES = (
    Witness(
        name="rulebook example round 1",
        board=1,
        total=4,
        dots=4,
        drawn="""
            .....i
            .X.t.i
            XXXtti
            vXTtll
            vvTTTl
            FFTssl
            YFFWss
            YFNWW_
            YYNNWW
            YUUNOO
            VU_NOO
            VUU_PP
            VVVLPP
            LLLLP_
        """,
        pieces="L5 V5 U5 Y5 N5 F5 V3 P5 O4 W5 S4 T5 L4 I3 T4 X5",
        full_rows=8,
    ),
    Witness(
        name="rulebook example round 2",
        board=2,
        total=5,
        dots=4,
        drawn="""
            ..W...
            .WW...
            WWt_OO
            _tttOO
            TTTssP
            _TssPP
            VTF_PP
            V_FFFv
            VVVFvv
            ll_UUU
            LlNUYU
            LlNYYi
            L_NNYi
            LL_NYi
        """,
        pieces="L5 L4 I3 N5 Y5 U5 V3 V5 F5 P5 S4 O4 T5 T4 W5",
        specials=(2, 3, 1, 3),
    ),
    Witness(
        name="rulebook example round 3",
        board=3,
        total=2,
        dots=1,
        drawn="""
            ....F.
            YYYYFF
            WWYFF_
            NWWVVV
            N_WOOV
            NN_OOV
            UNU_LL
            UUUPPL
            vvPPPL
            ivt__L
            iTttss
            iTtssl
            TTTlll
        """,
        pieces="T5 I3 V3 L4 S4 T4 P5 U5 L5 O4 N5 V5 F5 W5 Y5",
        specials=(2, 2, 3, 1, -5),
    ),
    Witness(
        name="rulebook example round 4",
        board=4,
        total=1,
        dots=5,
        drawn="""
            ....LL
            .....L
            OOF..L
            OOFFtL
            YFFttt
            YY__WW
            YvvWW_
            Y_vW_l
            i_Tlll
            iNTTT_
            iNTVs_
            NN_Vss
            NVVV_s
            U_UPPP
            UUU_PP
        """,
        pieces="U5 P5 S4 V5 T5 L4 W5 T4 L5 N5 V3 I3 Y5 F5 O4",
        pairs=3,
        singles=1,
    ),
    Witness(
        name="perfect round 1",
        board=1,
        total=12,
        dots=0,
        drawn="""
            vvsTTT
            tvssTl
            ttXsTl
            tXXXll
            YUXUOO
            YUUUOO
            YYFVVV
            YWFFFV
            PWWFLV
            PPWWLi
            PPNNLi
            NNNLLi
        """,
        pieces="L5 N5 P5 W5 Y5 F5 I3 V5 O4 L4 U5 X5 S4 T5 T4 V3",
        full_rows=12,
    ),
    Witness(
        name="perfect round 2",
        board=2,
        total=12,
        dots=0,
        drawn="""
            ..l.t.
            lllttt
            PPOO_W
            PPOOWW
            _PTWWY
            TTT_YY
            FFTvvY
            VFFvXY
            VF_XXX
            VVVNX_
            UUUNNi
            U_ULNi
            LLLLNi
        """,
        pieces="L5 U5 V5 F5 T5 P5 N5 I3 X5 V3 Y5 W5 O4 L4 T4",
        specials=(1, 1, 2, 2, 3, 3),
    ),
    Witness(
        name="perfect round 3",
        board=3,
        total=12,
        dots=0,
        drawn="""
            ..s...
            LLssUU
            LOOsU_
            LOOFUU
            L_YFFF
            YYYYFW
            ttt_WW
            lt_WWT
            lllTTT
            PPPv_T
            PPvvVi
            _NNNVi
            NNVVVi
        """,
        pieces="V5 I3 N5 V3 T5 W5 P5 L4 T4 Y5 F5 O4 S4 U5 L5",
        specials=(1, 1, 2, 2, 3, 3),
    ),
    Witness(
        name="perfect round 4",
        board=4,
        total=15,
        dots=0,
        drawn="""
            i.....
            i.W.OO
            iWWYOO
            WWYY_v
            ss_Yvv
            VssYT_
            V_TTTN
            VVV_TN
            _FllNN
            FFFlN_
            Ft_lLL
            tttP_L
            U_UPPL
            UUUPPL
        """,
        pieces="U5 T4 F5 P5 L4 V5 L5 N5 T5 V3 O4 S4 Y5 W5 I3",
        pairs=5,
        singles=0,
    ),
)
EXAMPLES, PERFECT = WITNESSES[:4], WITNESSES[4:]
